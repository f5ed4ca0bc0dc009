import type { OutboundEvent } from "../config/outbound-events.ts";
import type { Message, MessageHead, NewMessage, Outbox } from "../outbox/outbox.ts";
import { type Factories, findByUid } from "../reconcile/factories.ts";

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

/** Reads the resource that an event happened to, as the API gives it. */
export interface EventResources {
  /** @returns nothing for one that was deleted since */
  read(event: ChangeEvent): Promise<{ data: object; details?: EventDetails } | undefined>;
  /** The factory of what such an event would be about, null for a run without one. @returns nothing where there is no such thing */
  factoryOf(event: Pick<ChangeEvent, "type" | "subject">): Promise<string | null | undefined>;
}

export interface EventBodyDeps {
  resources: Pick<EventResources, "read">;
  factories: Pick<Factories, "find">;
}

const MAX_BODY_BYTES = 256 * 1024;

/** The body that tells of an event, before it is bounded. @returns nothing when what it is about was deleted since */
export async function eventBody(
  event: ChangeEvent,
  { resources, factories }: EventBodyDeps,
): Promise<EventBody | undefined> {
  const found = await resources.read(event);
  if (!found) return undefined;
  const record = findByUid(event.factoryUid, factories)?.record;
  const details = found.details ?? event.details;
  return {
    type: event.type,
    timestamp: event.at,
    factory: record ? { uid: record.uid, name: record.name } : null,
    ...(details ? { details } : {}),
    data: found.data,
  };
}

/** A body without the largest fields of its resource, as many of them as keep it from being small enough. */
export function boundedBody(body: EventBody): EventBody {
  if (sizeOf(body) <= MAX_BODY_BYTES) return body;
  const fields = Object.entries(body.data)
    .map(([name, value]) => ({ name, size: sizeOf(value) }))
    .sort((a, b) => b.size - a.size);
  const left: string[] = [];
  let data = { ...body.data };
  for (const { name } of fields) {
    left.push(name);
    data = Object.fromEntries(Object.entries(data).filter(([each]) => each !== name));
    const bounded = { ...body, data, left_out: left };
    if (sizeOf(bounded) <= MAX_BODY_BYTES) return bounded;
  }
  return { ...body, data: {}, left_out: left };
}

/** The bytes of a value as JSON. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
