import type { RunCaps } from "../caps.ts";
import type { Run } from "../run.ts";
import type { Lease, Ticket } from "../ticket.ts";
import type { ClaimReach, PlacementStore } from "./placement.ts";

const PREFIX = "worker/";

/** What the leases of a process of a worker elsewhere are marked with: its runs outlive a restart of the server. */
export function remoteHolder(workerId: string, process: string): string {
  return `${PREFIX}${workerId}/${process}`;
}

/** A run that a worker elsewhere has. */
export interface RunOfWorker {
  id: string;
  title: string;
  workerId: string;
  /** The uid of the process that has it. */
  process: string;
}

/** The worker and its process, of such a mark. */
export function holderParts(holder: string): Pick<RunOfWorker, "workerId" | "process"> {
  const [workerId = "", ...process] = holder.slice(PREFIX.length).split("/");
  return { workerId, process: process.join("/") };
}

/** Where the workspaces of a worker are that has this data folder. Its processes share it one after the other. */
export function remoteHome(workerId: string, dataFolder: string): string {
  return `${PREFIX}${workerId}/${dataFolder}`;
}

/** The beginning of the marks of a worker's processes, and what comes right after all of them. */
export function holdersOf(workerId: string): readonly [string, string] {
  return [`${PREFIX}${workerId}/`, `${PREFIX}${workerId}0`];
}

/** The beginning of every such mark, and what comes right after all of them. */
export const REMOTE_HOLDERS = [PREFIX, "worker0"] as const;

/** What reaches the agent of a run from outside. */
export interface RunNews {
  id: string;
  isCancelled: boolean;
  /** The id of the last message to the run; nothing when there is none. */
  lastMessage: string;
}

/** Knows the turns that workers elsewhere have, and what those that wait demand of one. */
export interface WorkerRunStore extends PlacementStore {
  /** The waiting runs that a claim with this reach would take. */
  listClaimable(limit: number, at: string, caps: RunCaps, reach: ClaimReach): Promise<Run[]>;
  /** Says that a worker is alive and has these turns; the others that were its own fall back. @returns the runs of those that are still its own */
  renewHeld(lease: Lease, turns: readonly Ticket[], at: string): Promise<string[]>;
  /** What has been said to runs, and whether their ends were asked for; those that are gone are left out. */
  listNews(runIds: readonly string[]): Promise<RunNews[]>;
  /** The turns that the processes of a worker have. */
  listHeldBy(workerId: string, at: string): Promise<{ run: Run; ticket: number }[]>;
  /** The runs that workers elsewhere have, of all workers, the oldest first. */
  listRemote(at: string): Promise<RunOfWorker[]>;
  /** The run of a turn that a worker has: its ticket is the last one, and the lease is not over. */
  findHeld(turn: Ticket, worker: string, at: string): Promise<Run | undefined>;
}
