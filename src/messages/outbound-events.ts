import type { OutboundEvent, OutboundSetting } from "../config/outbound-events.ts";
import type { Log } from "../log.ts";
import { OutboundError } from "../outbound/address-rules.ts";
import { type Factories, findByUid } from "../reconcile/factories.ts";
import { HOUR_MS } from "../time/duration.ts";
import type {
  EventBody,
  EventDetails,
  Followed,
  Message,
  MessageHead,
  NewMessage,
  Outbox,
  SentType,
} from "./outbox.ts";
import { type AttemptDeps, UNREADABLE_SECRET } from "./send.ts";
import {
  type ChangeReader,
  type FollowDeps,
  type MessageOutcome,
  type RunningOutbox,
  startOutbox,
} from "./start-outbox.ts";
import {
  listOutboundTargets,
  messageFor,
  type NamedFactory,
  type OutboundTarget,
  openTargetSecret,
} from "./target.ts";

export interface OutboundDeps
  extends AttemptDeps,
    Pick<FollowDeps<Followed<SentType, EventBody>>, "leadership" | "catchUp" | "nextCommit"> {
  factories: Pick<Factories, "find" | "list">;
  settings: readonly OutboundSetting[];
  store: OutboundStore;
  resources: EventResources;
  onEnded(outcome: MessageOutcome, count?: number): void;
  log: Log;
  now(): Date;
}

/** Posts the events that outbound webhooks name. */
export interface OutboundSender extends Omit<RunningOutbox<OutboundTarget, SentType, EventBody>, "sendTest"> {
  /** Sends a test at once. @returns how it ended, as the log shows it */
  test(target: OutboundTarget): Promise<OutboundMessage>;
  /** Why requests to a target cannot be signed now; nothing where they can. */
  whyUnsigned(target: OutboundTarget): Promise<string | undefined>;
}

/** So few changes at a time: the bodies of all their events are made before they are written. */
const PAGE = 200;

/** Begins to follow the changes, and to send what waits from before the start. */
export function startOutbound(deps: OutboundDeps): OutboundSender {
  const { settings, store, factories, onEnded } = deps;
  const { sendTest, ...running } = startOutbox<
    OutboundTarget,
    SentType,
    EventBody,
    Followed<SentType, EventBody>
  >({
    ...deps,
    outbox: store,
    factories: factories.list(),
    targetsOf: (served) => listOutboundTargets(settings, served),
    page: PAGE,
    noun: "outbound event",
    startReading: async (targets) =>
      readEvents({ ...deps, onDropped: (count) => onEnded("dropped", count) }, targets),
  });

  return {
    ...running,
    whyUnsigned: (target) =>
      openTargetSecret(target.secret, deps).then(
        () => undefined,
        (error) => (error instanceof OutboundError ? error.message : UNREADABLE_SECRET),
      ),
    test: (target) =>
      sendTest(target, (timestamp) => ({ type: "test", timestamp, factory: target.owner, data: {} })),
  };
}

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

interface EventBodyDeps {
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
function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

export interface ReadEventsDeps extends EventBodyDeps {
  store: Pick<OutboundStore, "findEvents">;
  factories: Pick<Factories, "find">;
  onDropped(count: number): void;
  now(): Date;
}

/** Anybody can have deliveries refused: they take no more room from the other events than this, of each target in an hour. */
const MAX_REFUSALS_PER_HOUR = 1_000;
/** And this, of all targets of a factory: these share what can be sent in an hour. */
const MAX_REFUSALS_PER_OWNER = 4_000;
/** Of so many in an hour, the filter of a target is asked. */
const MAX_REFUSALS_READ_PER_HOUR = 10_000;
/** What is written together, beside the bodies of the event that exceeds it. */
const MAX_BYTES_AT_ONCE = 8 * 1024 * 1024;

/** Finds out which events are sent to whom, and makes the bodies of those alone. */
export function readEvents(
  deps: ReadEventsDeps,
  targets: () => readonly OutboundTarget[],
): ChangeReader<Followed<SentType, EventBody>> {
  const { store, factories, now } = deps;
  const ofTarget = ({ id }: OutboundTarget) => id;
  const ofOwner = ({ id, owner }: OutboundTarget) => owner?.uid ?? id;
  const read = refusalLimit(MAX_REFUSALS_READ_PER_HOUR, ofTarget, deps);
  const sent = refusalLimit(MAX_REFUSALS_PER_HOUR, ofTarget, deps);
  const sentByOwner = refusalLimit(MAX_REFUSALS_PER_OWNER, ofOwner, deps);
  const hasRoom = (event: ChangeEvent, target: OutboundTarget) =>
    sent.hasRoom(event, target) && sentByOwner.hasRoom(event, target);

  async function messagesOf(event: ChangeEvent, at: string): Promise<NewOutboundMessage[]> {
    const factory = namedFactory(event, factories);
    const asked = targets().filter(
      // Not even a body is made beyond the limit.
      (target) => isAskedFor(event, target, factory) && read.hasRoom(event, target),
    );
    const body = asked.length === 0 ? undefined : await eventBody(event, deps);
    if (!body) return [];
    const matching = asked.filter((target) => target.filter.matches(body) && hasRoom(event, target));
    if (matching.length === 0) return [];
    const content = boundedBody(body);
    const { id: cause, type, factoryUid, subject } = event;
    const runId = type.startsWith("run.") ? subject : null;
    return matching.map((target) =>
      messageFor(target, { cause, factoryUid, runId, event: type, content, at }),
    );
  }

  return {
    async read(after, limit) {
      const { events, upTo } = await store.findEvents(after, limit);
      const at = now().toISOString();
      const messages: NewOutboundMessage[] = [];
      let bytes = 0;
      for (const [index, event] of events.entries()) {
        const before = events[index - 1];
        // Where the next event is of another change, the rest can be read in another round.
        if (bytes > MAX_BYTES_AT_ONCE && before && before.seq < event.seq)
          return { upTo: before.seq, isNews: true, isCut: true, messages };
        const made = await messagesOf(event, at);
        bytes += made[0] ? made.length * sizeOf(made[0].content) : 0;
        messages.push(...made);
      }
      return { upTo, isNews: messages.length > 0, messages };
    },
  };
}

/** Whether a target is to be told of such events, whatever their bodies say. */
export function isAskedFor(
  { type }: Pick<ChangeEvent, "type">,
  { isEnabled, events, takes }: OutboundTarget,
  factory: NamedFactory | null,
): boolean {
  return isEnabled && events.includes(type) && takes(factory);
}

/** The factory of an event, as the settings may name it. */
export function namedFactory(
  { factoryUid }: Pick<ChangeEvent, "factoryUid">,
  factories: Pick<Factories, "find">,
): NamedFactory | null {
  const found = findByUid(factoryUid, factories);
  return found ? { ...found.record, sourceName: found.sourceName } : null;
}

/** Counts the refusals of the hour, for each target or owner. What is beyond the limit is dropped; other events have no limit here. */
function refusalLimit(
  most: number,
  keyOf: (target: OutboundTarget) => string,
  { now, onDropped }: Pick<ReadEventsDeps, "now" | "onDropped">,
) {
  const counts = new Map<string, number>();
  let hour = 0;
  return {
    hasRoom({ type }: ChangeEvent, target: OutboundTarget): boolean {
      if (type !== "delivery.refused") return true;
      const current = Math.floor(now().getTime() / HOUR_MS);
      if (current !== hour) counts.clear();
      hour = current;
      const key = keyOf(target);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > most) onDropped(1);
      return count <= most;
    },
  };
}
