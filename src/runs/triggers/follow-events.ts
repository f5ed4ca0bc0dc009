import { inBatches } from "../../concurrency/periodic-jobs.ts";
import { commitRounds, type Leadership } from "../../concurrency/rounds.ts";
import { errorMessage, StoreUnavailable } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { DAY_MS } from "../../time/duration.ts";
import type { FactoryEvent, TriggeredStart, TriggerRefusal, TriggerStore } from "./factory-event.ts";
import { type CompiledListener, eventPayload, factsOf, listenersOf, triggeredRun } from "./triggered-run.ts";

export interface TriggerDeps {
  store: TriggerStore;
  factories: Pick<Factories, "find" | "list">;
  leadership: Leadership;
  /** Resolves after the next commit, or after so many milliseconds. */
  nextCommit(maxMs: number, signal: AbortSignal): Promise<void>;
  /** Called when runs have been made. */
  onRuns(): void;
  /** Called for each run that a limit has kept from being started. */
  onRefused(refusal: TriggerRefusal): void;
  log: Log;
  now: () => Date;
}

/** Starts the automations that events of their factory start. */
export interface Triggers {
  /** The definitions in force have changed. */
  activated(factories: readonly Factory[]): void;
  stop(): Promise<void>;
}

/** How far the log was read and recorded, and after which change each automation counts. */
interface Position {
  read: number;
  written: number;
  since: Readonly<Record<string, number>>;
  /** The automations that what was read was matched with. */
  matched: ReadonlySet<string>;
}

const PAGE = 2_000;
/** One transaction starts so many runs at most: others wait for it. */
const MAX_STARTS = 50;
/** Where nothing is to be started, the progress is written down this seldom: each time costs a sync of the disk. */
const MAX_UNRECORDED = 1_000;

/**
 * Reads the log of changes behind the commits, so that the moves of runs do no more work than without it. The runs that an
 * event starts are written together with how far the log was read: none is lost, and none is started twice.
 */
export function followEvents(deps: TriggerDeps): Triggers {
  const { store, leadership, nextCommit, now, log } = deps;
  let listeners = listenersByFactory(deps.factories.list());
  let position: Position | undefined;
  let isStale = true;

  async function round(): Promise<"more" | "caught up" | "idle"> {
    if (!leadership.isLeader()) {
      // Another server goes on from where it was written down.
      position = undefined;
      return "caught up";
    }
    if (isStale || !position) {
      isStale = false;
      // What was read by the last definition is not read again by this one.
      const former = position;
      if (former && former.read > former.written) await store.saveProgress(former.read);
      position = undefined;
      position = withMissed(await open(), former);
    }
    if (Object.keys(position.since).length === 0) return "idle";
    return (await read(position)) ? "more" : "caught up";
  }

  /** What an earlier version has applied begins to count here; what is applied now is known to the store. */
  async function open(): Promise<Position> {
    const all = [...listeners].flatMap(([factoryUid, list]) =>
      list.map(({ automationUid }) => ({ automationUid, factoryUid })),
    );
    const known = await store.findProgress();
    const unknown = all.filter(({ automationUid }) => known.since[automationUid] === undefined);
    if (unknown.length > 0) await store.register(unknown);
    const { seq, since } = unknown.length > 0 ? await store.findProgress() : known;
    return {
      read: seq,
      written: seq,
      since,
      matched: new Set(all.map(({ automationUid }) => automationUid)),
    };
  }

  /** @returns whether there is more */
  async function read(from: Position): Promise<boolean> {
    const { events, upTo } = await store.findEvents(from.read, PAGE);
    if (upTo === from.read) return false;
    let starts: TriggeredStart[] = [];
    for (const event of events) {
      starts.push(...(await startsOrNone(event, from.since)));
      if (starts.length < MAX_STARTS) continue;
      await save(from, starts, event.seq);
      starts = [];
    }
    if (starts.length > 0) await save(from, starts, upTo);
    else if (upTo - from.written >= MAX_UNRECORDED) {
      await store.saveProgress(upTo);
      from.written = upTo;
    }
    const isFullPage = upTo - from.read >= PAGE;
    from.read = upTo;
    return isFullPage;
  }

  /** An event of which nothing can be made holds up none of those after it. */
  async function startsOrNone(event: FactoryEvent, since: Position["since"]): Promise<TriggeredStart[]> {
    try {
      return await startsOf(event, since);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      log.error(
        { event: event.name, run: event.run?.id, factory: event.factoryUid, error: errorMessage(error) },
        "an event could not be followed; it starts nothing",
      );
      return [];
    }
  }

  async function startsOf(
    event: FactoryEvent,
    since: Readonly<Record<string, number>>,
  ): Promise<TriggeredStart[]> {
    const factory = deps.factories.find(event.factoryUid);
    const active = factory?.active;
    if (!active) return [];
    const facts = factsOf(event, active);
    const matching = (listeners.get(event.factoryUid) ?? []).filter(
      (listener) => (since[listener.automationUid] ?? Infinity) < event.seq && listener.matches(facts),
    );
    const details = matching.length > 0 ? await store.findDetails(event) : undefined;
    if (!details) return [];
    const { uid, name } = factory.record;
    const payload = eventPayload(facts, { uid, name }, event.run?.turn ?? 1, details);
    return matching.map((listener) =>
      triggeredRun(listener, { event, payload, cause: details.run }, { uid, active }),
    );
  }

  async function save(from: Position, starts: readonly TriggeredStart[], upTo: number): Promise<void> {
    const { started, refused } = await store.start(starts, upTo, now().toISOString());
    from.written = upTo;
    if (started > 0) deps.onRuns();
    for (const { start, refusal, reason } of refused) {
      const { event, automation } = start;
      log.warn({ automation, event: event.name, run: event.run?.id, reason }, "a trigger was refused");
      deps.onRefused(refusal);
    }
  }

  const rounds = commitRounds({
    round,
    nextCommit,
    onError(error) {
      log.warn({ error: errorMessage(error) }, "triggers could not be followed; retrying");
      position = undefined;
    },
  });
  leadership.onLeading(rounds.wake);
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
function withMissed(position: Position, former: Position | undefined): Position {
  if (!former) return position;
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
