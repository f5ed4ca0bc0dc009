import { newUuid } from "../id.ts";
import type { ChangeReader } from "../outbox/follow-changes.ts";
import type { Followed } from "../outbox/outbox.ts";
import type { NamedFactory } from "../outbox/target.ts";
import type { Factories } from "../reconcile/factories.ts";
import { findByUid } from "../reconcile/find-by-uid.ts";
import { HOUR_MS } from "../time/duration.ts";
import { boundedBody, type EventBodyDeps, eventBody } from "./event-body.ts";
import type {
  ChangeEvent,
  EventBody,
  NewOutboundMessage,
  OutboundStore,
  SentType,
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

/** Finds out which events are sent to whom, and makes the bodies of those alone. */
export function readEvents(
  deps: ReadEventsDeps,
  targets: () => readonly OutboundTarget[],
): ChangeReader<Followed<SentType, EventBody>> {
  const { store, factories, now } = deps;
  const refusals = refusalLimit(now);
  // Not even a body is made beyond the limit.
  const hasRoom = (target: string): boolean => {
    if (refusals.take(target)) return true;
    deps.onDropped(1);
    return false;
  };
  return {
    async read(after, limit) {
      const { events, upTo } = await store.findEvents(after, limit);
      const at = now().toISOString();
      const messages: NewOutboundMessage[] = [];
      for (const event of events) {
        const factory = namedFactory(event, factories);
        const asked = targets()
          .filter((target) => isAskedFor(event, target, factory))
          .filter(({ id }) => event.type !== "delivery.refused" || hasRoom(id));
        if (asked.length === 0) continue;
        const body = await eventBody(event, deps);
        const matching = body ? asked.filter(({ filter }) => filter.matches(body)) : [];
        if (!body || matching.length === 0) continue;
        const content = boundedBody(body);
        messages.push(...matching.map((target) => messageOf(event, target, content, at)));
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

function messageOf(
  { id, type, factoryUid, subject }: ChangeEvent,
  target: OutboundTarget,
  content: EventBody,
  at: string,
): NewOutboundMessage {
  return {
    id: newUuid(),
    cause: id,
    target: target.id,
    fingerprint: target.fingerprint,
    ownerUid: target.owner?.uid ?? null,
    factoryUid,
    runId: type.startsWith("run.") ? subject : null,
    event: type,
    content,
    at,
  };
}

/** Counts the refusals of the hour, for each target. */
function refusalLimit(now: () => Date): { take(target: string): boolean } {
  const counts = new Map<string, number>();
  let hour = 0;
  return {
    take(target) {
      const current = Math.floor(now().getTime() / HOUR_MS);
      if (current !== hour) counts.clear();
      hour = current;
      const count = counts.get(target) ?? 0;
      counts.set(target, count + 1);
      return count < MAX_REFUSALS_PER_HOUR;
    },
  };
}
