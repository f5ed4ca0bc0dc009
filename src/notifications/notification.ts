import type { NotificationEvent } from "../config/notification-settings.ts";
import type { Followed, Message, NewMessage, Outbox } from "../outbox/outbox.ts";
import type { NotificationContent } from "./content.ts";

/** What a notification tells of; a test is sent because someone asked for it. */
export type SentEvent = NotificationEvent | "test";

export type NewNotification = NewMessage<SentEvent, NotificationContent>;
export type Notification = Message<SentEvent, NotificationContent>;

/** Something that goes on to fail, and was told of. */
export interface Series {
  kind: "run" | "factory" | "webhook";
  /** What fails: an automation, a factory, a webhook. */
  subject: string;
}

/** A change that may have to be told, with what its run is now. */
export interface Cause {
  seq: number;
  kind: "run" | "factory" | "delivery" | "budget";
  subject: string;
  factoryUid: string | null;
  webhookUid: string | null;
  status: string;
  at: string;
  run?: CauseRun;
}

/** What is to be known of a run to tell of it. */
export interface CauseRun {
  state: string;
  title: string;
  automationUid: string | null;
  agentUid: string | null;
  scheduleId: string | null;
  message: string | null;
  /** The last question of its agent. */
  questionId: string | null;
}

/** The notifications of some changes, and which series of failures these begin and end. */
export interface FollowedChanges extends Followed<SentEvent, NotificationContent> {
  opened: Series[];
  closed: Series[];
}

/** The outbox of notifications. */
export interface NotificationStore extends Outbox<SentEvent, NotificationContent, FollowedChanges> {
  listSeries(): Promise<Series[]>;
  /**
   * What may have to be told of the next changes, at most so many of which are looked at.
   * @param webhooks those whose accepted deliveries matter too
   */
  findCauses(
    after: number,
    webhooks: readonly string[],
    limit: number,
  ): Promise<{ causes: Cause[]; upTo: number }>;
}
