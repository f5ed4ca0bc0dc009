import type { RunMetrics } from "../api/admin/run-metrics.ts";
import type { CommitSignal, Leadership } from "../concurrency/rounds.ts";
import type { Log } from "../log.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { startHoldClock, startWaitClock, startWindowClock } from "../runs/clocks.ts";
import type { Pauses } from "../runs/pauses.ts";
import { startScheduler } from "../runs/schedules/fire-due.ts";
import { followEvents } from "../runs/triggers/follow-events.ts";
import type { Store } from "../store/store.ts";
import type { Stops } from "./stops.ts";

interface ClockDeps {
  store: Store;
  factories: Factories;
  pauses: Pauses;
  commits: Pick<CommitSignal, "next">;
  leadership: Leadership;
  /** Runs were created, or go on. */
  onRuns: () => void;
  metrics: Pick<RunMetrics, "refusedTrigger">;
  log: Log;
  now: () => Date;
}

/** What starts runs, or lets them go on, without a request. */
export interface Clocks {
  wakeSchedules(): void;
  wakeWaits(): void;
  wakeHolds(): void;
  /** The active definitions have changed. */
  activated(all: readonly Factory[]): void;
}

/** Starts the schedules, the triggers of the factories' own events, the time limits of waits, holds of providers, and windows of runs. */
export function startClocks(
  { store, factories, pauses, commits, leadership, onRuns, metrics, log, now }: ClockDeps,
  stops: Stops,
): Clocks {
  const common = { leadership, onRuns, log, now };
  const scheduler = startScheduler({
    ...common,
    store: store.schedules,
    factories: factories.list,
    identities: store.identities,
    keys: store.keys,
    pauses,
  });
  stops.push(scheduler.stop);
  const triggers = followEvents({
    ...common,
    store: store.triggers,
    factories,
    nextCommit: commits.next,
    onRefused: metrics.refusedTrigger,
  });
  stops.push(triggers.stop);
  const waits = startWaitClock({ ...common, store: store.runs });
  stops.push(waits.stop);
  const holds = startHoldClock({ ...common, store: store.holds });
  stops.push(holds.stop);
  const windows = startWindowClock({ ...common, store: store.runs });
  stops.push(windows.stop);
  return {
    wakeSchedules: scheduler.wake,
    wakeWaits: waits.wake,
    wakeHolds: holds.wake,
    activated(all) {
      triggers.activated(all);
      windows.activated(all);
    },
  };
}
