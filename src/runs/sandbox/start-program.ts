import { type ChildProcess, spawn } from "node:child_process";
import { errorMessage, systemCode } from "../../errors/error.ts";
import type { Launch } from "./sandbox.ts";
import { openGateWhenNoted } from "./start-gate.ts";

/**
 * Starts what a sandbox says, in a process group of its own so that its children can be ended with it.
 * @throws what Node throws; that a program is not there comes as an event of the child
 */
export function startProgram({ command, args, cwd, environment, user, note }: Launch): ChildProcess {
  const child = spawn(command, [...args], {
    cwd,
    env: environment,
    stdio: ["pipe", "pipe", "pipe", ...(note === undefined ? [] : ["pipe" as const, "pipe" as const])],
    detached: true,
    ...user,
  });
  if (note !== undefined) openGateWhenNoted(child, note);
  return child;
}

/** Why a program could not be started: a sentence that begins with it. */
export function startFailure(command: string, error: unknown): string {
  const program = `program "${command}"`;
  switch (systemCode(error)) {
    case "ENOENT":
      return `${program} was not found on this server.`;
    case "EACCES":
      return `${program} is not executable by this server.`;
    case "E2BIG":
      return `${program} could not be started: the secrets granted to the run are too large in total for environment variables. Grant fewer or smaller secrets.`;
    case "ERR_INVALID_ARG_VALUE":
      // Node's own words quote the value, which may be a secret.
      return `${program} could not be started: its command is empty, or its command or a secret of the run contains a NUL character.`;
    default:
      return `${program} could not be started: ${errorMessage(error)}.`;
  }
}
