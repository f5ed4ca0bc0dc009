import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, systemCode } from "../../errors/error.ts";
import {
  type Controller,
  type DivisibleCgroup,
  findDivisibleCgroup,
  type Indivisible,
  OWN_GROUP,
  processesIn,
} from "./own-cgroup.ts";
import { removeCgroup, restoreLimits } from "./run-cgroup.ts";

/** Below the divided cgroup, the name of a run's own. */
export const RUN_PREFIX = "run-";
/** A process that is started while others are moved stays behind, and is moved in the next round. */
const ROUNDS = 20;

/**
 * Divides the cgroup of this process, so that runs can get parts of it with limits of their own. This process, and those that
 * it has started, move into a part for themselves first.
 */
export function divideOwnCgroup(): DivisibleCgroup | Indivisible {
  const found = findDivisibleCgroup();
  if ("reason" in found) return found;
  try {
    return divide(found);
  } catch (error) {
    return { reason: `the cgroup ${found.folder} could not be divided: ${errorMessage(error)}` };
  }
}

/** @throws what the kernel says of it */
export function divide({ folder, controllers }: DivisibleCgroup): DivisibleCgroup {
  const own = join(folder, OWN_GROUP);
  mkdirSync(own, { recursive: true });
  for (let round = 0; ; round += 1) {
    for (const pid of processesIn(folder)) moveInto(own, pid);
    try {
      for (const controller of controllers) enable(folder, controller);
      keepOrRemove(folder);
      return { folder, controllers };
    } catch (error) {
      if (systemCode(error) !== "EBUSY" || round >= ROUNDS) throw error;
    }
  }
}

const enable = (folder: string, controller: Controller) =>
  writeFileSync(join(folder, "cgroup.subtree_control"), `+${controller}`);

function moveInto(group: string, pid: number): void {
  try {
    writeFileSync(join(group, "cgroup.procs"), String(pid));
  } catch (error) {
    // It has ended.
    if (systemCode(error) !== "ESRCH") throw error;
  }
}

/** What a killed process has left of runs: without processes it goes, and others are held to their limits again. */
function keepOrRemove(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.startsWith(RUN_PREFIX))) {
    const group = join(folder, name);
    try {
      restoreLimits(group);
      removeCgroup(group);
    } catch {
      // Its run is ended, or goes on.
    }
  }
}
