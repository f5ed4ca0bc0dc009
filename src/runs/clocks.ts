import { type Leadership, leaderRounds } from "../concurrency/rounds.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import type { HoldStore } from "./rules/provider-limit.ts";
import { windowSetting } from "./rules/run-key.ts";
import type { RunStore } from "./run-store.ts";

export interface WindowClockDeps {
  store: Pick<
    RunStore,
    | "closeDueWindows"
    | "findNextWindowEnd"
    | "listStrandedKeys"
    | "releaseKeys"
    | "listOpenWindows"
    | "endWindows"
  >;
  leadership: Leadership;
  /** Says that runs can be claimed. */
  onRuns(): void;
  log: Log;
  now: () => Date;
}

/** Lets runs go whose window is over, or whose key was held by a blocked run for too long. */
export interface WindowClock {
  /** The active definitions have changed: a window that an automation has not got any more, or has otherwise, ends. */
  activated(factories: readonly Factory[]): void;
  stop(): Promise<void>;
}

const BATCH = 200;
/** Of those that a change of definitions ends in one transaction: 100,000 would keep everybody else who writes waiting for a second. */
const END_BATCH = 1_000;
/**
 * No window is shorter, so that none ends before it was seen; and a clock that was set is noticed. A look is a read by indexes.
 */
const LOOK_EVERY_MS = 1_000;
const STRANDED_EVERY_MS = 60_000;

/** Looks for windows that are over. What is due at the start is ended then. */
export function startWindowClock({ store, leadership, onRuns, log, now }: WindowClockDeps): WindowClock {
  let changed: readonly Factory[] | undefined;
  let strandedAt = Number.NEGATIVE_INFINITY;

  async function round(): Promise<number> {
    if (changed) await endChanged(changed);
    const left = await closeDue();
    if (performance.now() - strandedAt > STRANDED_EVERY_MS) await releaseStranded();
    return left;
  }

  async function closeDue(): Promise<number> {
    const at = now();
    const next = await store.findNextWindowEnd(at.toISOString());
    const left = next === undefined ? LOOK_EVERY_MS : Date.parse(next) - at.getTime();
    if (left > 0) return Math.min(left, LOOK_EVERY_MS);
    const closed = await store.closeDueWindows(at.toISOString(), BATCH);
    if (closed > 0) onRuns();
    return closed > 0 ? 0 : LOOK_EVERY_MS;
  }

  async function endChanged(factories: readonly Factory[]): Promise<void> {
    const at = now().toISOString();
    for (const open of await store.listOpenWindows())
      if (settingIn(factories, open) === "changed")
        while ((await store.endWindows(open, at, END_BATCH)) === END_BATCH);
    if (changed === factories) changed = undefined;
  }

  async function releaseStranded(): Promise<void> {
    const at = now().toISOString();
    const keys = await store.listStrandedKeys(at, BATCH);
    strandedAt = performance.now();
    if (keys.length === 0) return;
    await store.releaseKeys(keys, at);
    onRuns();
  }

  const rounds = leaderRounds(leadership, {
    round,
    onError(error) {
      log.error({ error: errorMessage(error) }, "windows that are over could not be ended");
      return LOOK_EVERY_MS;
    },
  });
  rounds.wake();
  return {
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

export interface WaitClockDeps {
  store: Pick<RunStore, "endOverdueWaits" | "findNextWaitEnd">;
  leadership: Leadership;
  /** Says that runs wait for their next turn. */
  onRuns(): void;
  log: Log;
  now: () => Date;
}

/** Ends what runs wait for when its time has come. */
export interface WaitClock {
  /** Says that something to wait for was recorded. */
  wake(): void;
  stop(): Promise<void>;
}

const WAITS_AT_ONCE = 50;
/** The clock of the machine may be set at any time, and an agent may exit after the time limit of its wait. */
const MAX_SLEEP_MS = 5_000;

/** Sleeps until the next time limit, or until it is woken; without a wait it sleeps on. What is due at the start is ended then. */
export function startWaitClock({ store, leadership, onRuns, log, now }: WaitClockDeps): WaitClock {
  async function round(): Promise<number | undefined> {
    const at = now();
    const ended = await store.endOverdueWaits(at.toISOString(), WAITS_AT_ONCE);
    if (ended > 0) onRuns();
    if (ended === WAITS_AT_ONCE) return 0;
    const next = await store.findNextWaitEnd();
    if (next === undefined) return undefined;
    const left = Date.parse(next) - at.getTime();
    return left > 0 ? Math.min(left, MAX_SLEEP_MS) : MAX_SLEEP_MS;
  }

  const rounds = leaderRounds(leadership, {
    round,
    onError(error) {
      log.error({ error: errorMessage(error) }, "waits whose time limit is reached could not be ended");
      return MAX_SLEEP_MS;
    },
  });
  rounds.wake();
  return rounds;
}

export interface HoldClockDeps {
  store: Pick<HoldStore, "release" | "findNextEnd">;
  leadership: Leadership;
  /** Says that runs can be claimed. */
  onRuns(): void;
  log: Log;
  now: () => Date;
}

const RELEASED_AT_ONCE = 1_000;

/** Lets runs go whose provider takes more again. It sleeps until the next hold ends; without a hold it sleeps on. */
export function startHoldClock({ store, leadership, onRuns, log, now }: HoldClockDeps): WaitClock {
  async function round(): Promise<number | undefined> {
    const at = now();
    const next = await store.findNextEnd();
    if (next === undefined) return undefined;
    const released = await store.release(at.toISOString(), RELEASED_AT_ONCE);
    if (released > 0) onRuns();
    const left = Date.parse((await store.findNextEnd()) ?? "") - at.getTime();
    return Number.isNaN(left) ? undefined : Math.max(0, Math.min(left, MAX_SLEEP_MS));
  }

  const rounds = leaderRounds(leadership, {
    round,
    onError(error) {
      log.error({ error: errorMessage(error) }, "held runs could not be started after the end of a hold");
      return MAX_SLEEP_MS;
    },
  });
  rounds.wake();
  return rounds;
}
