import type { Log } from "../../log.ts";
import type { Assignment } from "../../runs/turn/assignment.ts";
import type { ProcessFacts } from "../../workers/worker.ts";
import type { Beat } from "./beat.ts";
import type { DoorClient } from "./door-client.ts";
import { keepBeating } from "./keep-beating.ts";
import { keepClaiming } from "./keep-claiming.ts";
import type { OnlyRun } from "./only-run.ts";
import type { TurnsHere } from "./turns-here.ts";

export interface WorkOptions {
  client: Pick<DoorClient, "claim" | "beat">;
  turns: TurnsHere;
  /** What this process is, without what it executes at the moment. */
  facts: Omit<ProcessFacts, "executing">;
  /** Reads an assignment as the server sends it. */
  read(wire: unknown): Assignment;
  /** Whether the machine has room for more. */
  hasRoom(): boolean;
  /** Takes one turn, and then ends. */
  isOnce: boolean;
  /** The run whose turn that is. */
  only?: OnlyRun;
  /** Aborts when no more turns are to be taken. */
  draining: AbortSignal;
  log: Log;
}

/**
 * Until the server has said how long a lease is. A first beat that is lost is soon sent again: turns that an earlier process has
 * left may be held for a few seconds only.
 */
const FIRST_LEASE_MS = 12_000;
/** A worker that ends does not wait for a server that is not there. */
const LEAVE_MS = 2_000;

/**
 * Takes turns and says that they are alive, until the worker drains and the last of them has ended.
 * @returns why the only run was not executed here, as a sentence
 * @throws ServerRefusal when the server does not know the worker
 */
export async function work(options: WorkOptions): Promise<string | undefined> {
  const { turns, draining } = options;
  const over = new AbortController();
  const beat: Beat = { leaseMs: FIRST_LEASE_MS, again: () => {} };
  draining.addEventListener("abort", () => beat.again(), { once: true });
  const beating = keepBeating(options, beat, over.signal);
  const claiming = keepClaiming(options, beat, AbortSignal.any([draining, over.signal]));
  let missed: string | undefined;
  try {
    missed = (await Promise.race([claiming, beating])) ?? undefined;
    // No more are claimed; those that are here go on, and so do their beats.
    await Promise.race([turns.ended(), beating]);
  } catch (error) {
    turns.loseAll();
    await turns.ended();
    throw error;
  } finally {
    over.abort();
    await Promise.allSettled([claiming, beating]);
  }
  await leave(options);
  return missed;
}

/** Says goodbye, so that runs do not wait for this process until its lease is over. */
async function leave({ client, facts }: WorkOptions): Promise<void> {
  const request = {
    ...{ facts: { ...facts, executing: 0 }, turns: [], isDraining: true, waitMs: 0 },
    isLeaving: true,
  };
  await client.beat(request, LEAVE_MS, AbortSignal.timeout(LEAVE_MS)).catch(() => {});
}
