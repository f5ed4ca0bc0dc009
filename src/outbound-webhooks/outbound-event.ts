import type { OutboundEvent } from "../config/outbound-events.ts";
import type { Message, MessageHead, NewMessage, Outbox } from "../outbox/outbox.ts";

/** An event as the log of changes has it. */
export interface ChangeEvent {
  /** Names the event: it is sent to a target once. */
  id: string;
  seq: number;
  type: OutboundEvent;
  at: string;
  factoryUid: string | null;
  /** The run, delivery, factory or task that it happened to; of a budget, what the budget is of. */
  subject: string;
  details?: EventDetails;
}

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
  type: OutboundEvent | "test";
  timestamp: string;
  factory: { uid: string; name: string } | null;
  details?: EventDetails;
  /** The resource that the event happened to, as the API gives it. */
  data: object;
  /** Names of fields of the resource that are left out, because the body would be too large with them. */
  left_out?: string[];
}

export type SentType = OutboundEvent | "test";
export type OutboundMessage = Message<SentType, EventBody>;
export type OutboundMessageHead = MessageHead<SentType>;
export type NewOutboundMessage = NewMessage<SentType, EventBody>;

/** The outbox of outbound webhooks. */
export interface OutboundStore extends Outbox<SentType, EventBody> {
  /** The events among the next changes, at most so many of which are looked at. */
  findEvents(after: number, limit: number): Promise<{ events: ChangeEvent[]; upTo: number }>;
}
