import { inBatches } from "../concurrency/periodic-jobs.ts";
import type { NotificationEvent } from "../config/notification-settings.ts";
import type { OutboundEvent } from "../config/outbound-events.ts";
import { DAY_MS } from "../time/duration.ts";

/** `waiting` to be sent, perhaps again; `failed` for good; `dropped` because its target is gone. */
export const OUTBOX_STATES = ["waiting", "sent", "failed", "dropped"] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** A message as it is put into an outbox. */
export interface NewMessage<Event extends string, Content> {
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
  event: Event;
  content: Content;
  at: string;
}

/** A message as an outbox has it, without what it says. */
export interface MessageHead<Event extends string> {
  id: string;
  target: string;
  ownerUid: string | null;
  factoryUid: string | null;
  runId: string | null;
  event: Event;
  state: OutboxState;
  attempts: number;
  lastError: string | null;
  /** What the receiver answered last, where that is kept. */
  response: MessageResponse | null;
  createdAt: string;
  /** When somebody asked for it to be sent again. */
  requestedAt: string | null;
  /** Of one that waits; not before its target is tried again. */
  nextAttemptAt: string | null;
  endedAt: string | null;
}

export interface Message<Event extends string, Content> extends MessageHead<Event> {
  content: Content;
}

/** What a notification tells of; a test is sent because someone asked for it. */
export type SentEvent = NotificationEvent | "test";
export type Notification = Message<SentEvent, NotificationContent>;

/** What a notification says, whatever it is sent as. Texts are bounded, and free of control characters. */
export interface NotificationContent {
  event: SentEvent;
  at: string;
  /** One line. */
  summary: string;
  /** The page that tells more. */
  url: string;
  factory: { uid: string; name: string } | null;
  run?: {
    id: string;
    title: string;
    state: string;
    automation: string | null;
    agent: string | null;
  };
  webhook?: { uid: string; name: string };
  revision?: string;
  /** The limit that is used up. */
  budget?: { of: "factory" | "agent" | "automation"; name: string; limit: string; most: number };
  /** What an agent asks, or why something failed: text of others. */
  detail?: string;
}

export type SentType = OutboundEvent | "test";

/** What an event says beside the resource that it happened to. */
export type EventDetails =
  /** Of a task: the stage that it left, null for a new one, and the stage that it entered. */
  | { from: string | null; to: string }
  /** Of a definition: the revision that was attempted. */
  | { revision: string }
  /** Of a budget: what it is of, and which limit of a day is used up. */
  | { of: "factory" | "agent" | "automation"; uid: string; name: string; limit: string };

/** What is posted. */
export interface EventBody {
  type: SentType;
  timestamp: string;
  factory: { uid: string; name: string } | null;
  details?: EventDetails;
  /** The resource that the event happened to, as the API gives it. */
  data: object;
  /** Names of fields of the resource that are left out, because the body would be too large with them. */
  left_out?: string[];
}

/** What a message is before its first attempt. */
export const UNTRIED = {
  state: "waiting",
  attempts: 0,
  lastError: null,
  response: null,
  requestedAt: null,
  nextAttemptAt: null,
  endedAt: null,
} as const;

/** The beginning of an answer, as text without control characters. */
export interface MessageResponse {
  status: number;
  body: string;
  at: string;
  /** How long the receiver took, in milliseconds. */
  ms: number;
}

/** How an attempt to send ended. */
export type AttemptOutcome = { response?: MessageResponse } & (
  | { state: "sent"; note: string | null }
  | { state: "failed"; error: string /** Set when the receiver wants no more. */; gone?: string }
  | ({ state: "failed"; error: string } & TargetFailure)
  | ({ state: "waiting"; error: string; nextAttemptAt: string } & TargetFailure)
);

/** What a failed attempt says of the target. */
export interface TargetFailure {
  /** Until when everything for it waits; null where nothing but the message does. */
  restsUntil: string | null;
  /** What the target was. */
  fingerprint: string;
}

/** What following the changes has come to; written together, or not at all. */
export interface Followed<Event extends string, Content> {
  /** The change up to which was read when it was last written down. */
  from: number;
  /** Up to which change this goes. */
  upTo: number;
  messages: NewMessage<Event, Content>[];
  at: string;
}

/** So many messages, and so many bytes of their contents together. */
export interface OutboxSize {
  messages: number;
  bytes: number;
}

/** When a message has ended, and which one: what ended in the same instant is told apart by it. */
export interface EndedMessage {
  id: string;
  endedAt: string;
}

export interface MessageQuery<Event extends string> {
  limit: number;
  /** Only those before this one: the newest come first. */
  before?: string;
  target?: string;
  states?: readonly OutboxState[];
  events?: readonly Event[];
  /** Only those for targets of these factories; without it, all. */
  ownedBy?: readonly string[];
}

/** What is known of a target. */
export interface TargetStanding {
  target: string;
  waiting: number;
  gone: string | null;
  restsUntil: string | null;
  /** Attempts that have failed since the last one that did not. */
  failures: number;
  /** How the last attempt has failed, while none has succeeded since. */
  failedBy: string | null;
  last: Pick<Message<string, unknown>, "state" | "createdAt" | "endedAt" | "lastError"> | null;
}

/** Messages that wait for their targets. `find` and `list` read, the rest writes; each call is one transaction. */
export interface Outbox<Event extends string, Content, Written = Followed<Event, Content>> {
  /** @returns up to which change was read, the newest change, and whether changes count */
  findProgress(): Promise<{ seq: number; newest: number; isActive: boolean }>;
  /**
   * Lets changes count. If they did not so far, they count from the first definition on that was applied after `passed`,
   * up to which changes are known not to count; where there is none, after the newest change.
   * @returns after which change to begin
   */
  follow(passed?: number): Promise<number>;
  /** Lets changes pass by. */
  pass(): Promise<void>;
  /** @returns how many messages there was no room for */
  saveFollowed(followed: Written): Promise<number>;
  saveProgress(upTo: number): Promise<void>;
  /** Records one that is sent at once, and so is never waiting. */
  record(message: NewMessage<Event, Content>, outcome: AttemptOutcome): Promise<void>;
  /**
   * The next one that is due for a target, or will be; how many attempts to reach the target have failed in a row, when it or
   * the target was last tried without success, and what the target's fingerprint was then.
   * @param isOrdered whether those of one run wait for each other
   */
  findNext(
    target: string,
    isOrdered: boolean,
  ): Promise<
    | {
        message: Message<Event, Content>;
        failures: number;
        failedAs: string | null;
        failedAt: string | null;
      }
    | undefined
  >;
  saveAttempt(id: string, outcome: AttemptOutcome, at: string): Promise<void>;
  /** Forgets how attempts to reach a target have ended, and has everything that waits for it sent. */
  reopen(target: string, at: string): Promise<void>;
  /** Has one sent once more, and that at once. @returns whether it is there */
  sendAgain(id: string, at: string): Promise<boolean>;
  /** The targets for which something waits. */
  listWaitingTargets(): Promise<string[]>;
  findWaiting(): Promise<number>;
  /** Drops, at most so many at a time, what waits for a target that is no more. @returns how many */
  drop(target: string, at: string, limit: number): Promise<number>;
  /** The targets that wanted no more, with what they were then. */
  listGone(): Promise<{ target: string; gone: string }[]>;
  /** Gives up what was made for a target, or asked for again, before an instant, and still waits. @returns how many */
  expire(target: string, before: string, ending: { error: string; at: string }): Promise<number>;
  /** The greatest id; null for an empty outbox. */
  findNewestId(): Promise<string | null>;
  list(query: MessageQuery<Event>): Promise<Message<Event, Content>[]>;
  /** The same without what they say, which may be long. */
  listHeads(query: MessageQuery<Event>): Promise<MessageHead<Event>[]>;
  find(id: string): Promise<Message<Event, Content> | undefined>;
  listStandings(targets: readonly string[]): Promise<TargetStanding[]>;
  /** The newest message that has ended and is more than what is kept; nothing when all fit. It looks at all of them. */
  findOverflow(kept: OutboxSize): Promise<EndedMessage | undefined>;
  /** Forgets the oldest of those that ended before an instant, or not after the one that is given. @returns how many */
  prune(endedBefore: string, overflow: EndedMessage | undefined, limit: number): Promise<number>;
}

const KEPT_MS = 30 * DAY_MS;

/** Keeps an outbox from growing for ever. What ends meanwhile is left to the next time. */
export async function pruneOutbox(
  { outbox, now }: { outbox: Pick<Outbox<string, unknown>, "findOverflow" | "prune">; now: () => Date },
  kept: OutboxSize,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS).toISOString();
  const overflow = await outbox.findOverflow(kept);
  await inBatches((limit) => outbox.prune(before, overflow, limit), signal);
}
