import { totalmem } from "node:os";
import { dirname } from "node:path";
import { memoryLimitOf, ownCgroup } from "./own-cgroup.ts";

/** How much memory there is for what this process starts, in bytes: that of the machine, or less where a cgroup has a limit. */
export function memoryHere(): number {
  return Math.min(totalmem(), constrained(), ...limitsOf(ownCgroup()));
}

/** As Node knows it, also in cgroups of version 1. */
function constrained(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? limit : Number.POSITIVE_INFINITY;
}

/** Those of a cgroup and all above it, where the files of the topmost are not there. */
function limitsOf(folder: string | undefined): number[] {
  if (folder === undefined) return [];
  const limits: number[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const limit = memoryLimitOf(at);
    if (limit !== undefined) limits.push(limit);
    if (at === dirname(at)) return limits;
  }
}
