import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "../../errors/error.ts";
import { isTagged, killQuietly, killTagged, listProcesses } from "../../platform/processes.ts";
import type { Sandbox } from "./sandbox.ts";

/** Sends a signal to every process of a group. @returns whether there was one */
export function signalGroup(groupId: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    if (systemCode(error) === "ESRCH" || systemCode(error) === "EPERM") return false;
    throw error;
  }
}

const KILL_ROUNDS = 5;
const BETWEEN_ROUNDS_MS = 50;

/**
 * Ends whatever of a run is still alive, also what has left its process group, and what an earlier server process had
 * started. Found by the run's id in the environment that its processes inherited, and by the run's own user where it
 * has one; a process that wiped its environment has only its user to be found by. Does nothing where there is no /proc.
 * @returns whether nothing was found any more in the end
 */
export async function killLeftovers(runId: string, uid?: number): Promise<boolean> {
  if (uid === undefined) return killTagged("MILLRACE_RUN_ID", runId);
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    const all = await listProcesses();
    const marked = all.filter(isTagged("MILLRACE_RUN_ID", runId));
    const hasOwn = all.some((each) => each.uid === uid);
    if (marked.length === 0 && !hasOwn) return true;
    for (const { pid } of marked) killQuietly(pid);
    if (hasOwn) await killAllOf(uid);
    await sleep(BETWEEN_ROUNDS_MS);
  }
  return false;
}

/**
 * Ends whatever of a run is still alive, when its worker is gone and may have had another sandbox than this server.
 * @returns whether nothing is left that could be found
 */
export async function endLostRun(
  runId: string,
  sandbox: Pick<Sandbox, "endLeftBehind">,
  pid?: number,
): Promise<boolean> {
  const isEnded = await sandbox.endLeftBehind(runId, pid);
  return (await killLeftovers(runId)) && isEnded;
}

/** In one go, which is what ends a program that multiplies faster than its processes can be ended one by one. */
async function killAllOf(uid: number): Promise<void> {
  const killer = spawn("/bin/sh", ["-c", "kill -KILL -1"], { uid, gid: uid, env: {}, stdio: "ignore" });
  await once(killer, "exit").catch(() => {});
}
