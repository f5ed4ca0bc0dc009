import { NOTIFICATION_EVENTS } from "../../config/notification-settings.ts";
import { OUTBOUND_EVENTS } from "../../config/outbound-events.ts";
import { OUTBOX_STATES } from "../../messages/outbox.ts";
import { URGENCIES } from "../../runs/rules/agent-report.ts";
import { ref } from "../http/operation.ts";
import { count, instant, listOf, optionalInstant, optionalText, record, text } from "./shapes.ts";

const response = {
  type: ["object", "null"],
  additionalProperties: false,
  description: "The receiver's last response.",
  required: ["status", "body", "at", "duration_ms"],
  properties: {
    status: { type: "integer" },
    body: { ...text, description: "At most the first 1,024 bytes, without control characters." },
    at: instant,
    duration_ms: count,
  },
};

const delivery = {
  id: text,
  webhook_id: {
    ...text,
    description: "The value of the webhook-id header, which is the same for every attempt and redelivery.",
  },
  event: { type: "string", enum: [...OUTBOUND_EVENTS, "test"] },
  state: {
    type: "string",
    enum: [...OUTBOX_STATES],
    description:
      "waiting: not yet sent, or retried later. failed: given up. dropped: the outbound webhook no longer exists.",
  },
  factory_uid: optionalText,
  run_id: optionalText,
  attempts: count,
  last_error: optionalText,
  response,
  created_at: instant,
  redelivered_at: { ...optionalInstant, description: "The time of the last request to redeliver it." },
  next_attempt_at: { ...optionalInstant, description: "The time of the next attempt, while it is waiting." },
  ended_at: optionalInstant,
};

const eventBody = {
  type: "object",
  description: "The body that is posted: type, timestamp, factory, details and data, which is the resource.",
};

export const outboundModels = {
  Outbound: record({
    name: text,
    path: {
      ...optionalText,
      description: "The path of its file; null for outbound webhooks of the settings.",
    },
    factory: optionalText,
    factory_uid: optionalText,
    origin: { ...text, description: "The origin of the URL without its path, which may contain a secret." },
    secret_name: { ...optionalText, description: "The secret that requests are signed with." },
    events: { type: "array", items: { type: "string", enum: [...OUTBOUND_EVENTS] } },
    "filter?": { type: "object", description: "The payload filter, if it has one." },
    "factories?": {
      type: "array",
      items: text,
      description: "The factories whose events are sent, if the settings list them.",
    },
    enabled: { type: "boolean" },
    ordered: { type: "boolean" },
    state: {
      type: "string",
      enum: ["ready", "failing", "open", "stopped", "disabled"],
      description:
        "failing: the last attempt failed. open: its circuit breaker is open, so everything waits until next_attempt_at. stopped: the receiver responded with 410, and gets nothing more until the URL or the secret name changes, the value of its secret is set, or a test or redelivery succeeds.",
    },
    waiting: { ...count, description: "The number of deliveries that wait to be sent." },
    failures: { ...count, description: "The number of failed attempts since the last successful one." },
    next_attempt_at: {
      ...optionalInstant,
      description: "The time of the next attempt, while the circuit breaker is open.",
    },
    last_state: { type: ["string", "null"], enum: [...OUTBOX_STATES, null] },
    last_at: optionalInstant,
    last_error: optionalText,
  }),
  OutboundList: listOf("outbound", "Outbound"),
  OutboundDelivery: record(delivery),
  OutboundDeliveryWithBody: record({ ...delivery, body: eventBody }),
  OutboundDeliveryList: listOf("deliveries", "OutboundDelivery"),
  OutboundQuestion: record({
    event: { type: "string", enum: [...OUTBOUND_EVENTS] },
    "subject?": {
      type: "string",
      minLength: 1,
      maxLength: 100,
      description:
        "What the event is about: the id of a run or delivery, the uid of a task, or the uid of the factory, agent or automation that a budget belongs to. For definition events of an outbound webhook of the settings, the name or uid of the factory. Not needed for those of an outbound webhook of a factory.",
    },
  }),
  OutboundExplanation: record({
    sends: {
      type: "boolean",
      description: "Whether such an event would be sent, immediately or after a wait.",
    },
    reason: { ...optionalText, description: "Why it would not be sent, or would have to wait." },
    checks: { type: "array", items: ref("FilterCheck"), description: "Every condition of the filter." },
    body: eventBody,
  }),
  OutboundSecret: record({
    secret_name: text,
    secret: { ...text, description: "The signing secret. It is not shown again." },
  }),
} as const;

const event = { type: "string", enum: [...NOTIFICATION_EVENTS, "test"] };
const state = { type: "string", enum: [...OUTBOX_STATES] };

export const notificationModels = {
  Notification: record({
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
  }),
  NotificationList: listOf("notifications", "Notification"),
  NotificationTarget: record({
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
  }),
  NotificationTargetList: listOf("notification_targets", "NotificationTarget"),
} as const;

/** What an item of the Inbox is about. */
export const INBOX_KINDS = ["question", "apply_failed", "sender_refused", "budget", "held"] as const;

export const inboxModels = {
  InboxItem: record({
    id: { ...text, description: "The same as long as it is about the same: the kind and what it is about." },
    kind: {
      type: "string",
      enum: INBOX_KINDS,
      description:
        "question: a run waits for an answer. apply_failed: a factory could not apply its last revision, or is suspended. sender_refused: a webhook refuses its sender, or has no secret yet. budget: a budget is used up and runs wait for it. held: runs wait because the provider of their model refuses more.",
    },
    since: { ...instant, description: "Since when it waits for a person." },
    title: text,
    detail: {
      ...text,
      description: "Of a question, its text in Markdown; otherwise what happened and what to do.",
    },
    url: { ...text, description: "The page of the dashboard where it can be settled." },
    "run_id?": { ...text, description: "The run that asks." },
    "factory?": { ...text, description: "The name of the factory; missing where it is about none." },
    "urgency?": {
      type: "string",
      enum: URGENCIES,
      description: "Of a question: how soon the agent needs the answer.",
    },
  }),
  InboxList: listOf("items", "InboxItem"),
} as const;
