import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { chownSync, existsSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { environmentOfPlace } from "../../src/executor/supervisor/supervisor-place.ts";
import { onFinished } from "../given/cleanup.ts";
import { SUPERVISOR_PROGRAM } from "../given/executing.ts";
import { temporaryFolder } from "../given/folder.ts";
import { endProcess } from "../given/processes.ts";
import { NOBODY } from "../given/sandbox-of.ts";

const FILE_WORKER_PROGRAM = new URL("../../dist/executor/files/file-worker-main.js", import.meta.url);

/** A process of a server that is not root, and has this niceness. */
function startNicely(niceness: number, program: URL, how: Pick<SpawnOptions, "env" | "stdio">): ChildProcess {
  const words = ["-n", String(niceness), process.execPath, fileURLToPath(program)];
  const user = process.getuid?.() === 0 ? NOBODY : {};
  const child = spawn("nice", words, { ...user, ...how });
  onFinished(() => endProcess(child.pid ?? 0));
  return child;
}

async function until(isSo: () => boolean, child: ChildProcess): Promise<void> {
  while (!isSo() && child.exitCode === null) await sleep(25);
  expect(child.exitCode).toBe(null);
}

test.each([
  [0, 10],
  [12, 12],
])(
  "processes of a server whose niceness is %i have %i",
  async (given, expected) => {
    const niceness = Math.min(Math.max(getPriority() + given, expected), 19);
    const folder = temporaryFolder();
    if (process.getuid?.() === 0) chownSync(folder, NOBODY.uid, NOBODY.gid);

    const worker = startNicely(given, FILE_WORKER_PROGRAM, {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    let hasAnswered = false;
    worker.on("message", () => {
      hasAnswered = true;
    });
    worker.send({ ask: "begin", id: 1, job: "count", options: { folder, runId: "none" } });
    await until(() => hasAnswered, worker);
    expect(getPriority(worker.pid)).toBe(niceness);

    const supervisor = startNicely(given, SUPERVISOR_PROGRAM, {
      env: environmentOfPlace({ uid: "test", folder }),
      stdio: ["ignore", "inherit", "inherit", "pipe"],
    });
    await until(() => existsSync(join(folder, "supervisor.sock")), supervisor);
    expect(getPriority(supervisor.pid)).toBe(niceness);
  },
  120_000,
);
