import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { runHere } from "../../src/executor/files/file-jobs.ts";
import { chooseSandbox } from "../../src/executor/sandbox/choose-sandbox.ts";
import type { Launch } from "../../src/executor/sandbox/sandbox.ts";
import { startProgram, untilClosed } from "../../src/executor/sandbox/start-program.ts";
import { newUuid } from "../../src/id.ts";
import { pipeMaker } from "../../src/platform/pipes.ts";
import { temporaryFolder } from "./folder.ts";

const SETTINGS = {
  sandboxNetwork: "on",
  runProcesses: 200,
  runMemory: "0",
  runCpus: 0,
  containerCommand: undefined,
  containerOptions: undefined,
  containerImage: undefined,
} as const;

/** A sandbox over a new data folder, and how a command fares in it. */
export async function sandboxOf(
  sandbox: "bwrap" | "none",
  sandboxPaths: string[] = [],
  data = temporaryFolder(),
) {
  const folders = {
    path: data,
    workspaces: join(data, "workspaces"),
    firstProcesses: join(data, "first-processes"),
    networkSockets: join(data, "network"),
  };
  const chosen = await chooseSandbox({ ...SETTINGS, sandbox, sandboxPaths }, folders);
  const runId = newUuid();
  const workspace = join(folders.workspaces, runId);
  mkdirSync(workspace);
  return async (command: string[], PATH: string) => {
    await chosen.sandbox.chownWorkspace(runId, workspace, runHere);
    const environment = { PATH, HOME: workspace };
    return outcomeOf(chosen.sandbox.launch({ runId, workspace, command, environment }));
  };
}

async function outcomeOf(launch: Launch) {
  const child = startProgram(launch, pipeMaker(temporaryFolder()));
  child.stdin?.end();
  let said = "";
  for (const pipe of [child.stdout, child.stderr])
    pipe?.on("data", (bytes: Buffer) => {
      said += bytes;
    });
  const code = await untilClosed(child);
  return { code, said };
}

/** Lets the process of the test be a server that somebody runs from a home folder. */
export function serveFrom(home: string, node = process.execPath): void {
  const before = process.execPath;
  process.execPath = node;
  vi.stubEnv("HOME", home);
  onTestFinished(() => {
    process.execPath = before;
    vi.unstubAllEnvs();
  });
}
