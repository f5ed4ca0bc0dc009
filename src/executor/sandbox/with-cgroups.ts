import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatBytes } from "../../config/values.ts";
import { errorMessage, systemCode } from "../../errors/error.ts";
import {
  type Controller,
  type DivisibleCgroup,
  findDivisibleCgroup,
  type Indivisible,
  OWN_GROUP,
  processesIn,
} from "../cgroups/own-cgroup.ts";
import {
  endRunCgroup,
  findMemoryKill,
  findResources,
  removeCgroup,
  restoreLimits,
} from "../cgroups/run-cgroup.ts";
import { type LimitsHere, limitsOf } from "../cgroups/run-limits.ts";
import type { Sandbox } from "./sandbox.ts";

/** The limit on processes is the agent's: what starts it and keeps it apart has a few of its own. */
const OWN_TASKS = 16;
/** Of a weakness that the controller of processes lifts. */
const PROCESSES = "The number of processes of a run is not limited";

/**
 * A sandbox whose programs get a cgroup each: no more memory and processor time than the instanceShape of their runner, or the
 * settings, allow, and no more processes than the settings allow. What they leave behind is ended with the cgroup.
 */
export function withCgroups(
  sandbox: Sandbox,
  { folder, controllers }: DivisibleCgroup,
  here: LimitsHere & { processes: number },
): Sandbox {
  const has = new Set(controllers);
  const groupOf = (runId: string) => join(folder, RUN_PREFIX + runId);
  return {
    ...sandbox,
    limitsSize: true,
    weaknesses: [
      ...sandbox.weaknesses.filter((text) => !(has.has("pids") && text.startsWith(PROCESSES))),
      ...(has.has("cpu")
        ? []
        : [`Processor time is not limited: the cgroup ${folder} has no cpu controller.`]),
      ...(here.memoryBytes === undefined ? [ONLY_WITH_SHAPE] : []),
    ],
    launch(program) {
      const { memoryBytes, cpus } = limitsOf(program.shape, here);
      const limits = {
        memoryBytes,
        cpus: has.has("cpu") ? cpus : undefined,
        tasks: has.has("pids") ? here.processes + OWN_TASKS : undefined,
      };
      return { ...sandbox.launch(program), cgroup: { folder: groupOf(program.runId), limits } };
    },
    findResources: (runId) => findResources(groupOf(runId)),
    findMemoryKill: (runId) => findMemoryKill(groupOf(runId), here),
    async endLeftBehind(runId, pid) {
      const isEnded = await sandbox.endLeftBehind(runId, pid);
      return (await endRunCgroup(groupOf(runId))) && isEnded;
    },
  };
}

/** What is said where the settings set no limit. */
export const ONLY_WITH_SHAPE =
  "The memory of a run is limited only if its runner has an instanceShape, because MILLRACE_RUN_MEMORY is 0.";

/** Below the divided cgroup, the name of a run's own. */
const RUN_PREFIX = "run-";
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

/**
 * A sandbox where there are none: each process of a program gets a limit on what it can write to in memory (RLIMIT_DATA,
 * getrlimit(2)). That on address space would not do: Node, Java and Chromium reserve far more of it than they use.
 * What is not limited is said, and why.
 * @param prlimit the path of the program that sets it, where there is one
 */
export function withoutCgroups(
  sandbox: Sandbox,
  reason: string,
  { memoryBytes }: Pick<LimitsHere, "memoryBytes">,
  prlimit: string | undefined,
): Sandbox {
  if (memoryBytes === undefined || prlimit === undefined)
    return {
      ...sandbox,
      weaknesses: [...sandbox.weaknesses, `The memory of a run is not limited: ${reason}.`],
    };
  return {
    ...sandbox,
    weaknesses: [
      ...sandbox.weaknesses,
      `Each process of a run is limited to ${formatBytes(memoryBytes)} of memory, but not all of them together: ${reason}.`,
    ],
    launch(program) {
      const launch = sandbox.launch(program);
      const limit = `--data=${memoryBytes}:${memoryBytes}`;
      // One start of it sets this limit as well.
      const args = launch.command === prlimit ? launch.args : ["--", launch.command, ...launch.args];
      return { ...launch, command: prlimit, args: [limit, ...args] };
    },
  };
}
