import { type ChildProcess, spawn } from "node:child_process";
import type { Launch } from "./sandbox.ts";

/**
 * Starts what a sandbox says, in a process group of its own so that its children can be ended with it.
 * @throws what Node throws; that a program is not there comes as an event of the child
 */
export function startProgram({ command, args, cwd, environment, user }: Launch): ChildProcess {
  return spawn(command, [...args], {
    cwd,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    ...user,
  });
}
