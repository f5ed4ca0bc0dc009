import { join } from "node:path";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { RUN_PREFIX } from "./divide-cgroup.ts";
import type { DivisibleCgroup } from "./own-cgroup.ts";
import { endRunCgroup, findMemoryKill, findResources } from "./run-cgroup.ts";

const GIB = 1024 ** 3;
/** The limit on processes is the agent's: what starts it and keeps it apart has a few of its own. */
const OWN_TASKS = 16;
/** Of a weakness that the controller of processes lifts. */
const PROCESSES = "The number of processes of a run is not limited";

/**
 * A sandbox whose programs get a cgroup each: no more memory and processor time than the instanceShape of their runner has, and
 * no more processes than the settings allow. What they leave behind is ended with the cgroup.
 */
export function withCgroups(
  sandbox: Sandbox,
  { folder, controllers }: DivisibleCgroup,
  processes: number,
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
      "The memory of a run is limited only if its runner has an instanceShape.",
    ],
    launch(program) {
      const { shape } = program;
      const limits = {
        memoryBytes: shape && shape.memoryGb * GIB,
        cpus: has.has("cpu") ? shape?.vcpus : undefined,
        tasks: has.has("pids") ? processes + OWN_TASKS : undefined,
      };
      return { ...sandbox.launch(program), cgroup: { folder: groupOf(program.runId), limits } };
    },
    findMemoryKill: (runId) => findMemoryKill(groupOf(runId)),
    findResources: (runId) => findResources(groupOf(runId)),
    async endLeftBehind(runId, pid) {
      const isEnded = await sandbox.endLeftBehind(runId, pid);
      return (await endRunCgroup(groupOf(runId))) && isEnded;
    },
  };
}

/** A sandbox without them: what it does not limit is said, and why. */
export function withoutCgroups(sandbox: Sandbox, reason: string): Sandbox {
  const weaknesses = [...sandbox.weaknesses, `The memory of a run is not limited: ${reason}.`];
  return { ...sandbox, weaknesses };
}
