import { totalmem } from "node:os";
import { dirname } from "node:path";
import type { Config } from "../../config/config.ts";
import { bytesOfShare } from "../../config/values.ts";
import { memoryLimitOf, ownCgroup } from "./own-cgroup.ts";

/** What a run may use of the machine; what is left out is not limited. */
export interface RunLimits {
  memoryBytes?: number | undefined;
  cpus?: number | undefined;
  /** Processes and threads. */
  tasks?: number | undefined;
}

/** What every run is held to on this machine, whatever its runner asks for or leaves out. */
export interface LimitsHere {
  /** Of a run whose runner says nothing. */
  memoryBytes: number | undefined;
  cpus: number | undefined;
  /** Of any run: one that a definition gives more than there is would have no limit. */
  mostBytes: number;
}

export type LimitSettings = Pick<Config, "runMemory" | "runCpus">;

/** A tenth is left for the server and the system. */
const MOST = 0.9;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export function limitsHere({ runMemory, runCpus }: LimitSettings, total = memoryHere()): LimitsHere {
  const bytes = bytesOfShare(runMemory, total);
  return {
    memoryBytes: bytes && wholeMebibytes(bytes),
    cpus: runCpus === 0 ? undefined : runCpus,
    mostBytes: wholeMebibytes(total * MOST),
  };
}

/** The limits of a run whose runner has this instanceShape. */
export function limitsOf(
  shape: { vcpus: number; memoryGb: number } | undefined,
  { memoryBytes, cpus, mostBytes }: LimitsHere,
): RunLimits {
  if (!shape) return { memoryBytes, cpus };
  return { memoryBytes: Math.min(shape.memoryGb * GIB, mostBytes), cpus: shape.vcpus };
}

/** The kernel rounds down to pages, which would make another number of it. */
const wholeMebibytes = (bytes: number) => Math.max(1, Math.floor(bytes / MIB)) * MIB;

/** How much memory there is for what this process starts, in bytes: that of the machine, or less where a cgroup has a limit. */
function memoryHere(): number {
  return Math.min(totalmem(), constrained(), ...memoryLimits(ownCgroup()));
}

/** As Node knows it, also in cgroups of version 1. */
function constrained(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? limit : Number.POSITIVE_INFINITY;
}

/** Those of a cgroup and all above it, where the files of the topmost are not there. */
function memoryLimits(folder: string | undefined): number[] {
  if (folder === undefined) return [];
  const limits: number[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const limit = memoryLimitOf(at);
    if (limit !== undefined) limits.push(limit);
    if (at === dirname(at)) return limits;
  }
}
