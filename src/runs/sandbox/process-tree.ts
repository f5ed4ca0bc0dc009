import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "../../error.ts";
import { isMarked, killMarked, killQuietly, listProcesses } from "../../marked-processes.ts";
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

const ENDED_LOOK_MS = 5;
const LONGEST_END_MS = 5_000;

/** Resolves when a process that was killed has ended, and the namespace with it that it was the first of. */
export async function waitForEnd(pid: number): Promise<void> {
  for (let waited = 0; waited < LONGEST_END_MS; waited += ENDED_LOOK_MS) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    if (status === "" || ENDED.test(status)) return;
    await sleep(ENDED_LOOK_MS);
  }
}

const ENDED = /^State:\s+[ZX]/m;
const KILL_ROUNDS = 5;
const BETWEEN_ROUNDS_MS = 50;

/**
 * Ends whatever of a run is still alive, also what has left its process group, and what an earlier server process had
 * started. Found by the run's id in the environment that its processes inherited, and by the run's own user where it has
 * one; a process that wiped its environment has only its user to be found by. Does nothing where there is no /proc.
 */
export async function killLeftovers(runId: string, uid?: number): Promise<void> {
  if (uid === undefined) return killMarked("MILLRACE_RUN_ID", runId);
  for (let round = 0; round < KILL_ROUNDS; round += 1) {
    const all = await listProcesses();
    const marked = all.filter(isMarked("MILLRACE_RUN_ID", runId));
    const hasOwn = all.some((each) => each.uid === uid);
    if (marked.length === 0 && !hasOwn) return;
    for (const { pid } of marked) killQuietly(pid);
    if (hasOwn) await killAllOf(uid);
    await sleep(BETWEEN_ROUNDS_MS);
  }
}

/** Ends whatever of a run is still alive, when whoever had it is gone and may have had another sandbox than this server. */
export async function endLostRun(
  runId: string,
  sandbox: Pick<Sandbox, "endLeftBehind">,
  pid?: number,
): Promise<void> {
  await sandbox.endLeftBehind(runId, pid);
  await killLeftovers(runId);
}

/** In one go, which is what ends a program that multiplies faster than its processes can be ended one by one. */
async function killAllOf(uid: number): Promise<void> {
  const killer = spawn("/bin/sh", ["-c", "kill -KILL -1"], { uid, gid: uid, env: {}, stdio: "ignore" });
  await once(killer, "exit").catch(() => {});
}
