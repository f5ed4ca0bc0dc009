import { leaderRounds } from "../concurrency/leader-rounds.ts";
import type { Leadership } from "../concurrency/leadership.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { windowSetting } from "./rules/run-key.ts";
import type { RunStore } from "./run.ts";

export interface WindowClockDeps {
  store: Pick<RunStore, "closeDueWindows" | "findNextWindowEnd" | "listOpenWindows" | "endWindows">;
  leadership: Leadership;
  /** Says that runs can be claimed. */
  onRuns(): void;
  log: Log;
  now: () => Date;
}

/** Lets runs go whose window is over, or whose key was held by a blocked run for too long. */
export interface WindowClock {
  /** Says that runs of keys were created or continued. */
  wake(): void;
  /** The active definitions have changed: a window that an automation has not got any more, or has otherwise, ends. */
  activated(factories: readonly Factory[]): void;
  stop(): Promise<void>;
}

const BATCH = 200;
/** The clock of the machine may be set at any time: no window is waited for longer than this without a look at it. */
const MAX_SLEEP_MS = 1_000;

/** Sleeps until the next window ends; without one, until it is woken. What is due at the start is ended then. */
export function startWindowClock({ store, leadership, onRuns, log, now }: WindowClockDeps): WindowClock {
  // A window that has just been opened is longer than the rest between two rounds.
  let isIdle = true;
  let changed: readonly Factory[] | undefined;

  async function round(): Promise<number | undefined> {
    isIdle = false;
    if (changed) await endChanged(changed);
    const at = now();
    const next = await store.findNextWindowEnd(at.toISOString());
    isIdle = next === undefined;
    if (next === undefined) return undefined;
    const left = Date.parse(next) - at.getTime();
    if (left > 0) return Math.min(left, MAX_SLEEP_MS);
    if ((await store.closeDueWindows(at.toISOString(), BATCH)) > 0) onRuns();
    return 0;
  }

  async function endChanged(factories: readonly Factory[]): Promise<void> {
    const at = now().toISOString();
    for (const open of await store.listOpenWindows())
      if (settingIn(factories, open) === "changed") await store.endWindows(open, at);
    if (changed === factories) changed = undefined;
  }

  const rounds = leaderRounds(leadership, {
    round,
    onError(error) {
      log.error({ error: errorMessage(error) }, "windows that are over could not be ended");
      return MAX_SLEEP_MS;
    },
  });
  rounds.wake();
  return {
    wake() {
      if (isIdle) rounds.wake();
    },
    activated(factories) {
      changed = factories;
      rounds.wake();
    },
    stop: rounds.stop,
  };
}

/** A factory that serves nothing yet says nothing of its windows. */
function settingIn(
  factories: readonly Factory[],
  { factoryUid, automationUid, setting }: { factoryUid: string; automationUid: string; setting: string },
): "same" | "changed" | "unknown" {
  const active = factories.find(({ record }) => record.uid === factoryUid)?.active;
  if (!active) return "unknown";
  const automation = active.definition.automations.find(
    ({ name }) => active.uidOf("automation", name) === automationUid,
  );
  const { enabled = false, debounce } = automation ?? {};
  return enabled && debounce && windowSetting(debounce) === setting ? "same" : "changed";
}
