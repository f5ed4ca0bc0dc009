import type { NotificationEvent } from "../config/notification-settings.ts";
import type { NotificationContent } from "./content.ts";

/** `waiting` to be sent, perhaps again; `failed` for good; `dropped` because its target is gone. */
export const NOTIFICATION_STATES = ["waiting", "sent", "failed", "dropped"] as const;
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

/** What a notification tells of; a test is sent because someone asked for it. */
export type SentEvent = NotificationEvent | "test";

/** A notification as it is put into the outbox. */
export interface NewNotification {
  id: string;
  /** Names the cause: the same cause is told to a target once. */
  cause: string;
  target: string;
  /** What of the target has to change for a receiver that wants no more to get something again. */
  fingerprint: string;
  /** The factory whose definition names the target; null where the settings do. */
  ownerUid: string | null;
  factoryUid: string | null;
  runId: string | null;
  event: SentEvent;
  content: NotificationContent;
  at: string;
}

/** A notification as the outbox has it. */
export interface Notification {
  id: string;
  target: string;
  ownerUid: string | null;
  factoryUid: string | null;
  runId: string | null;
  event: SentEvent;
  content: NotificationContent;
  state: NotificationState;
  attempts: number;
  lastError: string | null;
  createdAt: string;
  nextAttemptAt: string | null;
  endedAt: string | null;
}

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

/** What following the changes has come to; written together, or not at all. */
export interface Followed {
  /** Up to which change this goes. */
  /** The change up to which was read when it was last written down. */
  from: number;
  upTo: number;
  opened: Series[];
  closed: Series[];
  notifications: NewNotification[];
  at: string;
}

/** How an attempt to send ended. */
export type AttemptOutcome =
  | { state: "sent"; note: string | null }
  | { state: "failed"; error: string /** Set when the receiver wants no more. */; gone?: string }
  | {
      state: "waiting";
      error: string;
      nextAttemptAt: string /** Whether everything for the target waits. */;
      rests: boolean;
    };

export interface NotificationQuery {
  limit: number;
  /** Only those before this one: the newest come first. */
  before?: string;
  target?: string;
  states?: readonly NotificationState[];
  events?: readonly SentEvent[];
  /** Only those for targets of these factories; without it, all. */
  ownedBy?: readonly string[];
}

/** What is known of a target. */
export interface TargetStanding {
  target: string;
  waiting: number;
  gone: string | null;
  restsUntil: string | null;
  failures: number;
  last: Pick<Notification, "state" | "createdAt" | "endedAt" | "lastError"> | null;
}

/** The outbox. `find` and `list` read, the rest writes; each call is one transaction. */
export interface NotificationStore {
  findProgress(): Promise<{ seq: number; isActive: boolean }>;
  /** Lets changes count, from the newest one on if they did not so far. @returns after which change to begin */
  follow(): Promise<number>;
  /** Lets changes pass by. */
  pass(): Promise<void>;
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
  /** @returns how many notifications there was no room for */
  saveFollowed(followed: Followed): Promise<number>;
  saveProgress(upTo: number): Promise<void>;
  /** Records one that is sent at once, and so is never waiting. */
  record(notification: NewNotification, outcome: AttemptOutcome): Promise<void>;
  /** The next one that is due for a target, or will be. */
  findNext(target: string): Promise<Notification | undefined>;
  saveAttempt(id: string, outcome: AttemptOutcome, at: string): Promise<void>;
  /** The targets for which something waits. */
  listWaitingTargets(): Promise<string[]>;
  findWaiting(): Promise<number>;
  /** Drops, at most so many at a time, what waits for a target that is no more. @returns how many */
  drop(target: string, at: string, limit: number): Promise<number>;
  list(query: NotificationQuery): Promise<Notification[]>;
  find(id: string): Promise<Notification | undefined>;
  listStandings(targets: readonly string[]): Promise<TargetStanding[]>;
  /** Forgets the oldest of those that ended before an instant, or are more than so many. @returns how many */
  prune(endedBefore: string, keepNewest: number, limit: number): Promise<number>;
}
