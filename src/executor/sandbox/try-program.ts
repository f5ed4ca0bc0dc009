import type { ChildProcess } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { newUuid } from "../../id.ts";
import { pipeMaker } from "../../platform/pipes.ts";
import { runHere } from "../files/file-jobs.ts";
import { signalGroup } from "./process-tree.ts";
import type { Sandbox } from "./sandbox.ts";
import { startProgram, untilClosed } from "./start-program.ts";

/** What a program that was tried has come to: its code, or the signal that has ended it. */
export interface Tried {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** What it wrote, on both streams. */
  said: string;
  timedOut: boolean;
}

/** More than a program needs to say what it is. */
const MAX_SAID = 4_000;

/**
 * Runs a program in a sandbox as a run would, in a workspace that is removed afterwards. Nothing of it stays open.
 * @throws what keeps it from being started
 */
export async function tryProgram(
  command: readonly string[],
  sandbox: Sandbox,
  { workspaces, timeoutMs }: { workspaces: string; timeoutMs: number },
): Promise<Tried> {
  const runId = newUuid();
  const workspace = join(workspaces, runId);
  await mkdir(workspace, { mode: 0o700 });
  const makePipe = pipeMaker(workspaces);
  let child: ChildProcess | undefined;
  try {
    await sandbox.chownWorkspace(runId, workspace, runHere);
    const environment = { PATH: process.env.PATH ?? "", HOME: workspace };
    child = startProgram(sandbox.launch({ runId, command, workspace, environment }), makePipe);
    return await outcomeOf(child, timeoutMs);
  } finally {
    makePipe.close();
    for (const stream of child?.stdio ?? []) stream?.destroy();
    await sandbox.endLeftBehind(runId, child?.pid);
    await rm(workspace, { recursive: true, force: true });
  }
}

async function outcomeOf(child: ChildProcess, timeoutMs: number): Promise<Tried> {
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (bytes: Buffer) => {
      said = (said + bytes).slice(0, MAX_SAID);
    });
  child.stdin?.on("error", () => {});
  child.stdin?.end();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  }, timeoutMs);
  try {
    const code = await untilClosed(child);
    return { code, signal: child.signalCode, said: said.trim(), timedOut };
  } finally {
    clearTimeout(timer);
  }
}
