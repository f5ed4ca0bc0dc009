import { EventEmitter } from "node:events";
import { wakeable } from "../concurrency/rounds.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import type { RunCaps } from "./caps.ts";
import { leaseFrom } from "./lease.ts";
import { type BudgetedRun, type Budgets, ownersOf } from "./rules/budget.ts";
import {
  type ConnectedWorker,
  DEFAULT_PLACEMENT,
  homeLoad,
  STARTS_ELSEWHERE,
  workerLoad,
} from "./rules/placement.ts";
import { remoteHolder } from "./rules/remote-worker.ts";
import type { ExecutorLoad, QueuePlace } from "./rules/waiting.ts";
import type { Claim, NewRun } from "./run.ts";
import type { RunStore } from "./run-store.ts";
import type { Ticket } from "./ticket.ts";
import { FENCE_AT, type RunSignals } from "./turn/turn-signals.ts";

export interface QueueOptions {
  store: Pick<
    RunStore,
    | "claim"
    | "countLeased"
    | "findHourOpening"
    | "findHourIsFull"
    | "findQueuePlace"
    | "listBudgetUse"
    | "listClaimable"
    | "listRemote"
    | "listStates"
  >;
  /** Who claims. */
  worker: string;
  /** For how long, in milliseconds, where other servers would take its runs for lost; elsewhere it has them while it lives. */
  leaseMs?: number | undefined;
  /** How many runs execute at once. */
  concurrency: number;
  /** The active caps. */
  caps: () => RunCaps;
  /** Whether this server executes runs that name no worker. */
  isExecuting?: boolean;
  /** The workers that are connected now. */
  connectedWorkers?: () => readonly ConnectedWorker[];
  /** For how long a later turn waits for the worker that has the workspace of its run, in milliseconds. */
  returnWaitMs?: number;
  /** Hears for how long a run is held from now on, in milliseconds. */
  onHeld?(runId: string, forMs: number): void;
  /** Whether the machine has room for more; `wake` says when it has again. */
  hasRoom(): boolean;
  execute(claim: Claim, signals: RunSignals): Promise<void>;
  log: Log;
  now: () => Date;
  /** By which leases are judged. */
  leaseNow: () => Date;
  /** The servers that execute runs of the store now, this one too; nothing where it is alone. */
  listServers?: (() => Promise<readonly ExecutingServer[]>) | undefined;
}

/** A server as far as it executes runs. */
export interface ExecutingServer {
  uid: string;
  concurrency: number;
}

export interface Queue {
  /** Says that there may be something to do. */
  wake(): void;
  /** Says that a run is about to be stored. @returns whether it has to wait for another one to end */
  expect(run: Pick<NewRun, "id" | "factoryUid" | "placement">): Promise<boolean>;
  /** Whether another run of a factory has to wait for the hour to allow it. */
  isHourFull(factoryUid: string | null): Promise<boolean>;
  /** The active budgets. */
  budgets(): Budgets;
  /** Whether a run has to wait for a budget, or is refused by one. */
  isBudgetUsedUp(run: BudgetedRun): Promise<boolean>;
  /**
   * Why a run waits, and at which place; nothing for one that does not wait.
   * @param within uids of the only factories whose runs are counted; null and left out count all
   */
  whyWaiting(
    runId: string,
    within?: readonly string[] | null,
  ): Promise<(QueuePlace & ExecutorLoad) | undefined>;
  /** Goes on with a run that was claimed before this process started. */
  resume(claim: Claim, execute: QueueOptions["execute"]): void;
  /** Says that it was not stored. */
  forget(runId: string): void;
  /** Says that there is a message for a run. */
  notify(runId: string): void;
  /** Ends a run if it executes here; its end has been asked for in the store. */
  cancel(runId: string): void;
  /** The turns that execute here. */
  executing(): readonly Ticket[];
  /** Says that runs are this server's for another lease, from a moment on the clock of `performance`. */
  held(ids: readonly string[], since: number): void;
  /** Takes nothing more, waits for what executes, and ends what still does after the drain time. */
  stop(drainMs: number): Promise<void>;
}

interface Executing {
  ticket: number;
  /** On the clock of `performance`. */
  heldSince: number;
  cancel: AbortController;
  messages: EventEmitter;
  done: Promise<void>;
}

/** A look at the store that no one asked for: a wake may have been lost, and a budget, which is counted by the minute, may have room again. */
const IDLE_LOOK_MS = 5_000;

/** The runs that servers execute themselves. */
const HERE = { placements: [DEFAULT_PLACEMENT], factories: null };
/** A run that the store does not have so long after it was expected was deleted. */
const STORED_WITHIN_MS = 60_000;

/** Takes waiting runs from the store and executes them, oldest first, so many at once. It rests until it is woken. */
export function createQueue(options: QueueOptions): Queue {
  const { store, worker, concurrency, caps, hasRoom, execute, log, now, leaseNow } = options;
  const { listServers, isExecuting = true, connectedWorkers = () => [], returnWaitMs = 0, leaseMs } = options;
  const executing = new Map<string, Executing>();
  /** Runs for which there is room, and which have not been claimed yet, since when. */
  const expected = new Map<string, number>();
  const stopping = new AbortController();
  const claims = wakeable({
    round: claim,
    onError(error) {
      log.error({ error: errorMessage(error) }, "waiting runs could not be claimed");
      return IDLE_LOOK_MS;
    },
  });

  /** @returns when to look again */
  async function claim(): Promise<number> {
    const free = concurrency - executing.size;
    if (!isExecuting || free <= 0 || !hasRoom()) return IDLE_LOOK_MS;
    const at = now();
    const askedAt = performance.now();
    const claimed = await store.claim(free, leaseFrom(leaseNow(), worker, leaseMs), at.toISOString(), caps());
    for (const each of claimed) begin(each, execute, askedAt);
    return claimed.length < free ? Math.min(IDLE_LOOK_MS, await untilOpening(at)) : IDLE_LOOK_MS;
  }

  /**
   * No one tells when an hour is over: what waits for that is looked for then.
   *
   * @param at - when runs were claimed last: an hour that has ended since then is one that the claim has not seen
   * @returns in milliseconds
   */
  async function untilOpening(at: Date): Promise<number> {
    const perHour = caps().factories;
    const opens =
      Object.keys(perHour).length > 0 ? await store.findHourOpening(perHour, at.toISOString()) : undefined;
    return opens === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Date.parse(opens) - now().getTime());
  }

  function isExecutedHere(placement: string): boolean {
    return isExecuting && placement === DEFAULT_PLACEMENT;
  }

  const isFull = () => executing.size + expected.size >= concurrency;

  /** What the servers of the store execute together, and can; nothing where this one is alone, or none of them executes runs. */
  async function loadOfAll(): Promise<{ executing: number; concurrency: number } | undefined> {
    if (!listServers) return undefined;
    // What is stored of this server may be old, or not there yet.
    const others = (await listServers()).filter(({ uid }) => uid !== worker);
    const servers = [...others, ...(isExecuting ? [{ uid: worker, concurrency }] : [])];
    if (servers.every((server) => server.concurrency === 0)) return undefined;
    return {
      executing: await store.countLeased(servers.map(({ uid }) => uid)),
      concurrency: servers.reduce((sum, server) => sum + server.concurrency, 0),
    };
  }

  /** A worker tells one server after the other how much it executes: where there are several, the store knows better. */
  async function workersNow(): Promise<readonly ConnectedWorker[]> {
    const connected = connectedWorkers();
    if (!listServers || connected.length === 0) return connected;
    const held = (await store.listRemote(leaseNow().toISOString())).map((run) =>
      remoteHolder(run.workerId, run.process),
    );
    return connected.map((each) => {
      // What a machine elsewhere executes is not held by the process that has it made.
      if (each.id === undefined || each.processUid === undefined || each.sandbox === STARTS_ELSEWHERE)
        return each;
      const holder = remoteHolder(each.id, each.processUid);
      return { ...each, executing: held.filter((other) => other === holder).length };
    });
  }

  /** Where several servers execute runs, any of them may have room. Runs that wait for something else take none. */
  async function areAllFull(load: { executing: number; concurrency: number }): Promise<boolean> {
    const unstored = await forgetTaken();
    const free = load.concurrency - load.executing - unstored;
    return free <= 0 || (await store.listClaimable(free, now().toISOString(), caps(), HERE)).length >= free;
  }

  /**
   * Another server may have claimed what was expected here, or ended it. One that is not stored yet is unknown to the store.
   * @returns how many are not
   */
  async function forgetTaken(): Promise<number> {
    if (expected.size === 0) return 0;
    let unstored = 0;
    const states = await store.listStates([...expected.keys()]);
    const storedBefore = performance.now() - STORED_WITHIN_MS;
    for (const [id, since] of expected) {
      const state = states[id] ?? (since < storedBefore ? undefined : "QUEUED");
      if (state !== "QUEUED") expected.delete(id);
      else if (states[id] === undefined) unstored += 1;
    }
    return unstored;
  }

  function begin(claimed: Claim, carryOut = execute, heldSince = performance.now()): void {
    const { id } = claimed.run;
    const { ticket } = claimed;
    expected.delete(id);
    const cancel = new AbortController();
    const messages = new EventEmitter();
    const onMessage = (listener: () => void) => {
      messages.on("message", listener);
    };
    const signals = { stop: stopping.signal, cancel: cancel.signal, onMessage };
    const heldForMs = () => heldFor(executing.get(id)?.heldSince ?? heldSince);
    const done = carryOut(claimed, leaseMs === undefined ? signals : { ...signals, heldForMs })
      .catch((error) => log.error({ run: id, error: errorMessage(error) }, "a run could not be executed"))
      .finally(() => {
        // A turn that was lost may have been claimed again.
        if (executing.get(id)?.ticket === ticket) executing.delete(id);
        claims.wake();
      });
    executing.set(id, { ticket, heldSince, cancel, messages, done });
  }

  /** Without another word of the store. @returns in milliseconds */
  function heldFor(since: number): number {
    return Math.max(0, FENCE_AT * (leaseMs ?? Number.POSITIVE_INFINITY) - (performance.now() - since));
  }

  return {
    wake: claims.wake,
    notify(runId) {
      executing.get(runId)?.messages.emit("message");
      claims.wake();
    },
    cancel(runId) {
      expected.delete(runId);
      executing.get(runId)?.cancel.abort();
    },
    async expect(run) {
      const load = run.placement === DEFAULT_PLACEMENT ? await loadOfAll() : undefined;
      if (!load && !isExecutedHere(run.placement)) return workerLoad(run, await workersNow()).free === 0;
      if (!load && isFull()) await forgetTaken();
      const mustWait = load ? await areAllFull(load) : isFull();
      // Those beyond the first to wait change nothing, and are not kept.
      if (!mustWait) expected.set(run.id, performance.now());
      return mustWait;
    },
    async isHourFull(factoryUid) {
      const cap = factoryUid === null ? undefined : caps().factories[factoryUid];
      if (factoryUid === null || cap === undefined) return false;
      return store.findHourIsFull(factoryUid, cap, now().toISOString());
    },
    budgets: () => caps().budgets,
    async isBudgetUsedUp(run) {
      const owners = ownersOf(run, caps().budgets);
      if (owners.length === 0) return false;
      const budgets = owners.map(({ uid, budget, ...owner }) => [uid, { ...owner, ...budget }] as const);
      const used = await store.listBudgetUse(Object.fromEntries(budgets), now().toISOString());
      return Object.values(used).some(({ opensAt }) => opensAt !== null);
    },
    resume: begin,
    async whyWaiting(runId, within = null) {
      const at = now();
      const place = await store.findQueuePlace(runId, caps(), at.toISOString(), within);
      if (!place) return undefined;
      const ofAll = place.placement === DEFAULT_PLACEMENT ? await loadOfAll() : undefined;
      const load = { ...(ofAll ?? { executing: executing.size, concurrency }), hasRoom: hasRoom() };
      if (ofAll || isExecutedHere(place.placement)) return { ...place, ...load };
      const connected = await workersNow();
      const awaitedHome = homeLoad(place, connected, { waitMs: returnWaitMs, at });
      return {
        ...place,
        ...load,
        workers: workerLoad(place, connected),
        ...(awaitedHome ? { awaitedHome } : {}),
      };
    },
    forget(runId) {
      expected.delete(runId);
    },
    executing: () => [...executing].map(([id, { ticket }]) => ({ id, ticket })),
    held(ids, since) {
      for (const id of ids) {
        const turn = executing.get(id);
        if (!turn) continue;
        turn.heldSince = since;
        options.onHeld?.(id, heldFor(since));
      }
    },
    async stop(drainMs) {
      await claims.stop();
      const timer = setTimeout(() => stopping.abort(), drainMs);
      await Promise.all([...executing.values()].map(({ done }) => done));
      clearTimeout(timer);
    },
  };
}
