import { join } from "node:path";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { RUN_PREFIX } from "./divide-cgroup.ts";
import type { DivisibleCgroup } from "./own-cgroup.ts";
import { endRunCgroup, findMemoryKill, findResources } from "./run-cgroup.ts";
import { type LimitsHere, limitsOf } from "./run-limits.ts";

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
