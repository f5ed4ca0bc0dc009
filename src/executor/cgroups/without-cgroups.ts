import { formatBytes } from "../../config/values.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { LimitsHere } from "./run-limits.ts";

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
