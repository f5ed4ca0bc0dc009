import { NOTIFICATION_EVENTS } from "../../config/notification-settings.ts";
import { OUTBOX_STATES } from "../../outbox/outbox.ts";
import { instant, listOf, optionalInstant, optionalText, text } from "../http/shapes.ts";

const event = { type: "string", enum: [...NOTIFICATION_EVENTS, "test"] };
const state = { type: "string", enum: [...OUTBOX_STATES] };

export const notificationModels = {
  Notification: {
    type: "object",
    additionalProperties: false,
    required: [
      "id",
      "event",
      "target",
      "target_name",
      "state",
      "summary",
      "url",
      "factory",
      "factory_uid",
      "run_id",
      "attempts",
      "last_error",
      "created_at",
      "next_attempt_at",
      "ended_at",
    ],
    properties: {
      id: text,
      event,
      target: { ...text, description: "The id of the target." },
      target_name: {
        ...optionalText,
        description: "The name of the target; null if it is no longer configured.",
      },
      state: {
        ...state,
        description:
          "waiting: not yet sent, or sent again later. failed: given up. dropped: the target is no longer configured.",
      },
      summary: text,
      url: { ...text, description: "The page in the dashboard that the notification links to." },
      factory: optionalText,
      factory_uid: optionalText,
      run_id: optionalText,
      attempts: { type: "integer", minimum: 0 },
      last_error: optionalText,
      created_at: instant,
      next_attempt_at: {
        ...optionalInstant,
        description: "The time of the next attempt, while it is waiting.",
      },
      ended_at: optionalInstant,
    },
  },
  NotificationList: listOf("notifications", "Notification"),
  NotificationTarget: {
    type: "object",
    additionalProperties: false,
    required: [
      "id",
      "name",
      "kind",
      "address",
      "factory",
      "factory_uid",
      "events",
      "state",
      "waiting",
      "next_attempt_at",
      "last_state",
      "last_at",
      "last_error",
    ],
    properties: {
      id: text,
      name: text,
      kind: { type: "string", enum: ["webhook", "slack", "email"] },
      address: {
        ...text,
        description:
          "The origin of the URL without its path, which may contain a secret; or the recipients of emails.",
      },
      factory: {
        ...optionalText,
        description: "The factory whose definition contains the target; null for targets of the settings.",
      },
      factory_uid: optionalText,
      events: { type: "array", items: { type: "string", enum: [...NOTIFICATION_EVENTS] } },
      state: {
        type: "string",
        enum: ["ready", "failing", "stopped"],
        description:
          "failing: the last attempt failed, and the target is retried later. stopped: the receiver responded with 410, and gets no more notifications until the target changes or a test succeeds.",
      },
      waiting: {
        type: "integer",
        minimum: 0,
        description: "The number of notifications that wait to be sent.",
      },
      next_attempt_at: {
        ...optionalInstant,
        description: "The time of the next attempt of a failing target.",
      },
      last_state: { type: ["string", "null"], enum: [...OUTBOX_STATES, null] },
      last_at: { ...optionalInstant, description: "The time of the last notification." },
      last_error: optionalText,
    },
  },
  NotificationTargetList: listOf("notification_targets", "NotificationTarget"),
} as const;
