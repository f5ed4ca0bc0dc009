import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type Leadership, leaderRounds } from "../../concurrency/rounds.ts";
import { type CronSchedule, parseCron } from "../../definitions/cron.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { Pauses } from "../pauses.ts";
import { dueTimes } from "./due.ts";
import type { Firing, ScheduleStore } from "./schedule.ts";
import { type ScheduledRunDeps, scheduledRun } from "./scheduled-run.ts";
import { type TimetableEntry, timetable } from "./timetable.ts";

export interface FireDeps extends ScheduledRunDeps {
  store: Pick<ScheduleStore, "list" | "fire">;
  pauses: Pick<Pauses, "isPaused">;
  /** Called when runs have been made. */
  onRuns(): void;
  log: Log;
  now: () => Date;
}

/** Looks at the clock and fires what is due. */
export interface DueRuns {
  /** Says that a schedule or a definition has changed. */
  changed(): void;
  /** Fires what is due. @returns the milliseconds until the next due time; nothing when there is none */
  look(): Promise<number | undefined>;
}

/** An entry of the timetable with how far it has been looked at, in milliseconds. */
interface Watched {
  entry: TimetableEntry;
  cron: CronSchedule;
  after: number;
  next: number | undefined;
}

/** So many are worked on at a time, and fire in one transaction, before anything else gets its turn. */
const BATCH = 50;
const RETRY_MS = 1_000;
/** A source that cannot be reached holds up what was missed no longer than this. */
const MAX_HOLD_MS = 30_000;
const HELD_LOOK_MS = 250;

/**
 * Remembers of each entry how far it has been looked at. Nothing hangs on that memory: the store knows what has fired,
 * so that a due time fires once whatever happens to this process or to its clock.
 */
export function createDueRuns(deps: FireDeps): DueRuns {
  const { store, factories, pauses, now, onRuns } = deps;
  let watched = new Map<string, Watched>();
  let isStale = true;
  let lastLook = Number.NEGATIVE_INFINITY;
  // By a clock that nobody sets.
  const startedAt = performance.now();

  /** What `missed: once` would catch up waits for its definition: its automation may be deleted there. */
  function isHeld({ entry }: Watched): boolean {
    return entry.missed === "once" && !entry.isCurrent() && performance.now() - startedAt < MAX_HOLD_MS;
  }

  async function reload(at: number): Promise<void> {
    const before = watched;
    const fresh = new Map<string, Watched>();
    isStale = false;
    try {
      await inTurns(timetable(factories(), await store.list(), pauses), (entry) => {
        const kept = before.get(entry.key);
        const isSame = kept?.entry.since === entry.since;
        fresh.set(entry.key, isSame ? { ...kept, entry } : watch(entry, Math.min(entry.since, at)));
      });
      watched = fresh;
    } catch (error) {
      isStale = true;
      throw error;
    }
  }

  async function fireAll(at: number): Promise<void> {
    const states = [...watched.values()].filter(
      (state) => state.next !== undefined && state.next <= at && !isHeld(state),
    );
    await inTurns(states, async (state) => {
      const { entry, cron, after } = state;
      moveOn(state, at);
      for (const due of dueTimes({ cron, missed: entry.missed }, after, at)) {
        if (await fire(state, due, deps)) onRuns();
      }
    });
  }

  return {
    changed() {
      isStale = true;
    },
    async look() {
      const at = now().getTime();
      if (isStale) await reload(at);
      // A clock that was set back comes to the same times again. The store knows which of them have fired.
      if (at < lastLook)
        await inTurns([...watched.values()], (state) => moveOn(state, Math.min(state.after, at)));
      lastLook = at;
      await fireAll(at);
      const next = [...watched.values()].reduce((least, state) => {
        const wakes = isHeld(state) ? now().getTime() + HELD_LOOK_MS : state.next;
        return Math.min(least, wakes ?? least);
      }, Infinity);
      return next === Infinity ? undefined : Math.max(0, next - now().getTime());
    },
  };
}

/** Works on many without keeping the event loop from anybody. */
async function inTurns<Item>(items: readonly Item[], work: (item: Item) => unknown): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH) {
    await Promise.all(items.slice(start, start + BATCH).map(work));
    await yieldToEventLoop();
  }
}

function watch(entry: TimetableEntry, after: number): Watched {
  const cron = parseCron(entry.schedule.cron, entry.schedule.timezone);
  return moveOn({ entry, cron, after, next: undefined }, after);
}

function moveOn(state: Watched, after: number): Watched {
  return Object.assign(state, { after, next: state.cron.next(new Date(after))?.getTime() });
}

/** Fires one due time. A store that fails is asked again: the entry is looked at as if it had not been. */
async function fire(state: Watched, due: Date, deps: FireDeps): Promise<boolean> {
  const { store, log, now } = deps;
  const { name } = state.entry.schedule;
  try {
    const firing = await firingOf(state.entry, due, deps);
    return (await store.fire(firing, now().toISOString())) === "fired";
  } catch (error) {
    log.error(
      { schedule: name, due: due.toISOString(), error: errorMessage(error) },
      "a schedule could not fire; retrying",
    );
    state.after = Math.min(state.after, due.getTime() - 1);
    state.next = Math.min(state.next ?? Infinity, now().getTime() + RETRY_MS);
    return false;
  }
}

/** What cannot start is written down with its due time, and not tried again: the next due time is the next attempt. */
async function firingOf(entry: TimetableEntry, due: Date, deps: FireDeps): Promise<Firing> {
  const { key, followed } = entry;
  const firing = {
    key,
    dueAt: due.toISOString(),
    schedule: followed && { id: followed.id, updatedAt: followed.updatedAt },
  };
  try {
    return { ...firing, result: { run: await scheduledRun(entry, due, deps) } };
  } catch (error) {
    if (!(error instanceof MillraceError) || error.code === "service_unavailable") throw error;
    deps.log.warn(
      { schedule: entry.schedule.name, due: firing.dueAt, error: error.message },
      "a schedule could not start a run",
    );
    return { ...firing, result: { error: error.message } };
  }
}

/** Fires what is due when it is due. */
export interface Scheduler {
  /** Says that a schedule or a definition has changed. */
  wake(): void;
  /** Ends with the look that goes on now. */
  stop(): Promise<void>;
}

/** The clock of the machine may be set at any time, and nothing tells of it: so long it goes unseen at most. */
const MAX_SLEEP_MS = 5_000;

/** Sleeps until the next due time, or until it is woken. */
export function startScheduler({ leadership, ...deps }: FireDeps & { leadership: Leadership }): Scheduler {
  const due = createDueRuns(deps);
  const rounds = leaderRounds(leadership, {
    async round() {
      const sleepMs = await due.look();
      // Without anything to fire there is nothing to wait for: whoever adds something wakes it.
      return sleepMs === undefined ? undefined : Math.min(Math.max(sleepMs, 1), MAX_SLEEP_MS);
    },
    onError(error) {
      deps.log.error({ error: errorMessage(error) }, "the schedules could not be checked");
      return RETRY_MS;
    },
  });
  rounds.wake();
  return {
    wake() {
      due.changed();
      rounds.wake();
    },
    stop: rounds.stop,
  };
}
