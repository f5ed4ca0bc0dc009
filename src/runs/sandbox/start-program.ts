import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Writable } from "node:stream";
import { errorMessage, systemCode } from "../../errors/error.ts";
import { makeRunCgroup, placeProcess } from "../cgroups/run-cgroup.ts";
import { preferAsVictim } from "./oom-score.ts";
import type { Launch } from "./sandbox.ts";
import { OPEN, openGateWhenNoted, waitAtGate } from "./start-gate.ts";

/**
 * Starts what a sandbox says, in a process group of its own so that its children can be ended with it, and in its cgroup
 * before its first instruction.
 * @throws what Node throws, and what the kernel says of the cgroup; that a program is not there comes as an event of the child
 */
export function startProgram(launch: Launch): ChildProcess {
  const { cwd, environment, user, note, cgroup } = launch;
  const group = cgroup && orSay("could not be made", () => makeRunCgroup(cgroup));
  const filter = launch.filter === undefined ? undefined : openSync(launch.filter, "r");
  const descriptors: ("pipe" | number)[] = Array(note === undefined ? 3 : 5).fill("pipe");
  if (filter !== undefined) descriptors.push(filter);
  const gate = descriptors.length;
  if (group !== undefined) descriptors.push("pipe");
  const [command, ...args] = [
    ...(group === undefined ? [] : waitAtGate(gate)),
    launch.command,
    ...launch.args,
  ] as [string, ...string[]];
  let child: ChildProcess;
  try {
    child = spawn(command, args, { cwd, env: environment, stdio: descriptors, detached: true, ...user });
  } finally {
    if (filter !== undefined) closeSync(filter);
  }
  if (child.pid !== undefined) preferAsVictim(child.pid);
  if (group !== undefined) openGateInside(child, group, gate);
  if (note !== undefined) openGateWhenNoted(child, note);
  return child;
}

/** What waits at a gate is placed from outside: the program gets no right to do so, and nothing of it has run before. */
function openGateInside(child: ChildProcess, group: string, descriptor: number): void {
  const gate = child.stdio[descriptor] as Writable | null | undefined;
  gate?.on("error", () => {});
  if (child.pid === undefined) return;
  try {
    const { pid } = child;
    orSay("cannot be entered", () => placeProcess(group, pid));
    gate?.write(OPEN);
  } finally {
    // Without a line, the shell at the gate ends, and the program is never started.
    gate?.end();
  }
}

/** The error of the kernel has a code, which says nothing about the program. */
function orSay<Made>(what: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    throw new Error(`its cgroup ${what}: ${errorMessage(error)}`);
  }
}

/** Why a program could not be started: a sentence that begins with it. */
export function startFailure(command: string, error: unknown): string {
  const program = `program "${command}"`;
  switch (systemCode(error)) {
    case "ENOENT":
      return `${program} was not found on the machine that executes the run.`;
    case "EACCES":
      return `${program} is not executable by the user of the server or worker.`;
    case "E2BIG":
      return `${program} could not be started: the secrets granted to the run are too large in total for environment variables. Grant fewer or smaller secrets.`;
    case "ERR_INVALID_ARG_VALUE":
      // Node's own words quote the value, which may be a secret.
      return `${program} could not be started: its command is empty, or its command or a secret of the run contains a NUL character.`;
    default:
      return `${program} could not be started: ${errorMessage(error)}.`;
  }
}
