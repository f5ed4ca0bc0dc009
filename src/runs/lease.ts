import { serial } from "../concurrency/shared-work.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import type { FallenClaim } from "./run.ts";
import type { RunStore } from "./run-store.ts";
import type { Lease, Ticket } from "./ticket.ts";

/** How long a run is taken for alive after its worker was heard of last. */
const LEASE_MS = 60_000;
/** Several beats fit into a lease: a store that is slow or a short sleep of the machine loses no run. */
const HEARTBEAT_MS = 10_000;

const LOST =
  "The worker was lost while the agent was running, and the agent's remaining processes were stopped. Send a follow-up to start another turn.";

/** What a worker takes a run with. @param ms how long it is valid without another word of the worker */
export function leaseFrom(at: Date, worker: string, ms = LEASE_MS): Lease {
  return { worker, expiresAt: new Date(at.getTime() + ms).toISOString() };
}

export interface LeaseDeps {
  store: Pick<RunStore, "renewLeases" | "renewHeld" | "listLeased" | "recoverLost">;
  /** Ends what is left of a run whose worker is gone. */
  endRemains(runId: string): Promise<unknown>;
  /** Hears which runs are about to be ended, or to wait again. @returns what is called when they have been */
  onLosing?: (ids: readonly string[]) => (fallen: readonly FallenClaim[]) => void;
  now: () => Date;
  /** By which leases are judged. */
  leaseNow: () => Date;
}

/**
 * Ends runs whose worker was lost. Recorded after the last of their processes is gone: a crash in between finds the
 * rest again.
 */
export async function endLost(
  ids: readonly string[],
  { store, endRemains, onLosing, now }: LeaseDeps,
  expiredBefore?: string,
): Promise<void> {
  for (const id of ids) await endRemains(id);
  if (ids.length === 0) return;
  const onLost = onLosing?.(ids);
  const fallen = await store.recoverLost(ids, LOST, now().toISOString(), expiredBefore);
  onLost?.(fallen);
}

/**
 * Ends what an earlier server has left in the data folder, which has one server at a time: whoever held a lease there is gone.
 * @param continued ids of runs whose agents go on
 * @param worker whose runs these are; nothing where all that are executed by servers are
 */
export async function endLeftOver(
  deps: LeaseDeps,
  continued: ReadonlySet<string>,
  worker?: string,
): Promise<void> {
  const leased = await deps.store.listLeased({ worker });
  await endLost(
    leased.filter((id) => !continued.has(id)),
    deps,
  );
}

export interface HeartbeatOptions {
  /** Who is alive. */
  worker: string;
  log: Log;
  leases: LeaseDeps;
  /** Where other servers take runs for lost by the same store. */
  shared?: SharedLeases | undefined;
}

/** The leases of a server that is not alone. What it does not execute any more, it does not renew. */
export interface SharedLeases {
  /** How long a lease is valid, in milliseconds. */
  leaseMs: number;
  /** The turns that execute now. */
  executing(): readonly Ticket[];
  /** Hears which runs are held from the moment in which that was asked, on the clock of `performance`. */
  onHeld(ids: readonly string[], askedAt: number): void;
}

/** Says now and at each beat that this worker is alive, then looks for workers that are not. @returns what ends it */
export function startHeartbeat({ worker, log, leases, shared }: HeartbeatOptions): () => Promise<void> {
  const { store, leaseNow } = leases;
  const beats = serial();

  async function renew(at: Date): Promise<void> {
    if (!shared) {
      await store.renewLeases(leaseFrom(at, worker));
      return;
    }
    const askedAt = performance.now();
    const lease = leaseFrom(at, worker, shared.leaseMs);
    shared.onHeld(await store.renewHeld(lease, shared.executing(), at.toISOString()), askedAt);
  }

  async function beat(): Promise<void> {
    // One instant for both: with a clock that is set forward in between, every run of this worker would look lost.
    const at = leaseNow();
    await renew(at);
    const expiredBefore = at.toISOString();
    await endLost(await store.listLeased({ expiredBefore }), leases, expiredBefore);
  }

  const beatNow = () =>
    void beats.run(beat).catch((error) => {
      log.error({ error: errorMessage(error) }, "the leases of runs could not be renewed");
    });
  // At once, too: a server that never lives until the first beat would keep the runs of lost workers for good.
  beatNow();
  const timer = setInterval(beatNow, Math.min(HEARTBEAT_MS, (shared?.leaseMs ?? LEASE_MS) / 5));
  return () => {
    clearInterval(timer);
    return beats.ended();
  };
}
