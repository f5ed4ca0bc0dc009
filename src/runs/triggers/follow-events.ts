import { type FollowDeps, follow, type Position } from "../../changes/follow.ts";
import { inBatches } from "../../concurrency/periodic-jobs.ts";
import { errorMessage, StoreUnavailable } from "../../errors/error.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { DAY_MS } from "../../time/duration.ts";
import type { FactoryEvent, TriggeredStart, TriggerRefusal, TriggerStore } from "./factory-event.ts";
import {
  answerOf,
  type CompiledListener,
  eventPayload,
  factsOf,
  listenersOf,
  triggeredRun,
} from "./triggered-run.ts";

export interface TriggerDeps extends FollowDeps {
  store: TriggerStore;
  factories: Pick<Factories, "find" | "list">;
  /** Called when runs have been made. */
  onRuns(): void;
  /** Called for each run that a limit has kept from being started. */
  onRefused(refusal: TriggerRefusal): void;
  now: () => Date;
}

/** Starts the automations that events of their factory start. */
export interface Triggers {
  /** The definitions in force have changed. */
  activated(factories: readonly Factory[]): void;
  stop(): Promise<void>;
}

/** After which change each automation counts. */
interface Listening {
  since: Readonly<Record<string, number>>;
  /** The automations that what was read was matched with. */
  matched: ReadonlySet<string>;
}

type Opened = Listening & { read: number };

const PAGE = 2_000;
/** One transaction starts so many runs at most: others wait for it. */
const MAX_STARTS = 50;

/** Starts runs with the position in the log of changes, so that no event is lost, and none starts an automation twice. */
export function followEvents(deps: TriggerDeps): Triggers {
  const { store, now, log } = deps;
  let listeners = listenersByFactory(deps.factories.list());
  let listening: Listening = { since: {}, matched: new Set() };
  let isStale = true;

  /** What an earlier version has applied begins to count here; what is applied now is known to the store. */
  async function open(): Promise<Opened> {
    const all = [...listeners].flatMap(([factoryUid, list]) =>
      list.map(({ automationUid }) => ({ automationUid, factoryUid })),
    );
    const known = await store.findProgress();
    const unknown = all.filter(({ automationUid }) => known.since[automationUid] === undefined);
    if (unknown.length > 0) await store.register(unknown);
    const { seq, since } = unknown.length > 0 ? await store.findProgress() : known;
    return { read: seq, since, matched: new Set(all.map(({ automationUid }) => automationUid)) };
  }

  /** Begins with the definitions of now. What was read by the last ones is not read again by these. */
  async function begin(former: Position | undefined): Promise<Position> {
    isStale = false;
    if (former && former.read > former.written) await store.saveProgress(former.read);
    const opened = await open();
    const { read, ...next } = former ? withMissed(opened, listening) : opened;
    listening = next;
    return { read, written: opened.read };
  }

  /** An event of which nothing can be made holds up none of those after it. */
  async function startsOrNone(event: FactoryEvent): Promise<TriggeredStart[]> {
    try {
      return await startsOf(event);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      log.error(
        { event: event.name, run: event.run?.id, factory: event.factoryUid, error: errorMessage(error) },
        "an event could not be followed; it starts nothing",
      );
      return [];
    }
  }

  async function startsOf(event: FactoryEvent): Promise<TriggeredStart[]> {
    const factory = deps.factories.find(event.factoryUid);
    const active = factory?.active;
    if (!active) return [];
    const facts = factsOf(event, active);
    const matching = (listeners.get(event.factoryUid) ?? []).filter(
      (listener) =>
        (listening.since[listener.automationUid] ?? Infinity) < event.seq && listener.matches(facts),
    );
    const details = matching.length > 0 ? await store.findDetails(event) : undefined;
    if (!details) return [];
    const { uid, name } = factory.record;
    const turn = event.run?.turn ?? 1;
    const payload = eventPayload(facts, { uid, name }, turn, details);
    const answer = answerOf(details.run, turn);
    const started = matching.filter((listener) => listener.matches(facts, answer));
    return started.map((listener) =>
      triggeredRun(listener, { event, payload, cause: details.run }, { uid, active }),
    );
  }

  async function save(starts: readonly TriggeredStart[], upTo: number): Promise<void> {
    const { started, refused } = await store.start(starts, upTo, now().toISOString());
    if (started > 0) deps.onRuns();
    for (const { start, refusal, reason } of refused) {
      const { event, automation } = start;
      log.warn({ automation, event: event.name, run: event.run?.id, reason }, "a trigger was refused");
      deps.onRefused(refusal);
    }
  }

  const rounds = follow(
    {
      page: PAGE,
      failure: "triggers could not be followed; retrying",
      saveProgress: store.saveProgress,
      async prepare(position) {
        const next = position && !isStale ? position : await begin(position);
        return Object.keys(listening.since).length === 0 ? "idle" : { position: next };
      },
      async handle(after, limit) {
        const { events, upTo } = await store.findEvents(after, limit);
        const starts: TriggeredStart[] = [];
        for (const [index, event] of events.entries()) {
          const before = events[index - 1];
          // The events of one change are written together: the position is behind all of them or none.
          if (starts.length >= MAX_STARTS && before && before.seq < event.seq)
            await save(starts.splice(0), before.seq);
          starts.push(...(await startsOrNone(event)));
        }
        return starts.length > 0 ? { upTo, write: () => save(starts, upTo) } : { upTo };
      },
    },
    deps,
  );
  return {
    activated(factories) {
      listeners = listenersByFactory(factories);
      isStale = true;
      rounds.wake();
    },
    stop: rounds.stop,
  };
}

/**
 * A definition counts from the moment in which it is stored, and comes into force a moment later. What was read in between
 * is read again for the automations that it has added, and for no others.
 */
function withMissed(position: Opened, former: Listening): Opened {
  const isNew = (uid: string, since: number) => !former.matched.has(uid) || since > (former.since[uid] ?? 0);
  const since = Object.entries(position.since);
  const missed = since.filter(([uid, from]) => position.matched.has(uid) && isNew(uid, from));
  const read = Math.min(position.read, ...missed.map(([, from]) => from));
  const kept = since.map(([uid, from]) => [uid, isNew(uid, from) ? from : Math.max(from, position.read)]);
  return { ...position, read, since: Object.fromEntries(kept) };
}

function listenersByFactory(factories: readonly Factory[]): Map<string, CompiledListener[]> {
  return new Map(factories.map((factory) => [factory.record.uid, listenersOf(factory)]));
}

/** An event is followed within seconds, or soon after the next start: so long nobody asks again what it has started. */
const FIRINGS_KEPT_MS = 30 * DAY_MS;

/** Keeps the record of what events have started from growing for ever. */
export function pruneTriggered(
  { store, now }: { store: Pick<TriggerStore, "prune">; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - FIRINGS_KEPT_MS).toISOString();
  return inBatches((limit) => store.prune(before, limit), signal);
}
