import type { ChangeReader } from "../outbox/follow-changes.ts";
import type { Followed } from "../outbox/outbox.ts";
import { messageFor, type NamedFactory } from "../outbox/target.ts";
import { type Factories, findByUid } from "../reconcile/factories.ts";
import { HOUR_MS } from "../time/duration.ts";
import {
  boundedBody,
  type ChangeEvent,
  type EventBody,
  type EventBodyDeps,
  eventBody,
  type NewOutboundMessage,
  type OutboundStore,
  type SentType,
  sizeOf,
} from "./outbound-event.ts";
import type { OutboundTarget } from "./target.ts";

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
