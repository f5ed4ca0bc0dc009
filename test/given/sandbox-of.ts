import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { runHere } from "../../src/executor/files/file-jobs.ts";
import { openRunProxy } from "../../src/executor/network/proxy/run-proxy.ts";
import { bubblewrap } from "../../src/executor/sandbox/bubblewrap.ts";
import { chooseSandbox } from "../../src/executor/sandbox/choose-sandbox.ts";
import { findProgram } from "../../src/executor/sandbox/find-program.ts";
import { findUserRange } from "../../src/executor/sandbox/run-user.ts";
import type { HeldNetwork, Launch } from "../../src/executor/sandbox/sandbox.ts";
import { writeSocketFilter } from "../../src/executor/sandbox/socket-filter.ts";
import { startProgram, untilClosed } from "../../src/executor/sandbox/start-program.ts";
import { systemFolders } from "../../src/executor/sandbox/system-folders.ts";
import { newUuid } from "../../src/id.ts";
import { pipeMaker } from "../../src/platform/pipes.ts";
import type { NetworkPolicy } from "../../src/runs/turn/network-policy.ts";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import { endProcess } from "./processes.ts";

/** Whom the tests act as when they stand for a server that is not root. */
export const NOBODY = { uid: 65_534, gid: 65_534 };

/** A server that is root makes each run a user of its own, one that is not shares its user with its agents. */
export const SERVERS: readonly ("root" | "nobody")[] =
  process.getuid?.() === 0 ? ["root", "nobody"] : ["nobody"];

/** A sandbox of bubblewrap as a server of this user has it, and a program in it. */
export async function sandboxOf(
  server: "root" | "nobody",
  { processes = 200, network }: { processes?: number; network?: HeldNetwork } = {},
) {
  const folder = temporaryFolder();
  const runId = newUuid();
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  const user = server === "nobody" && process.getuid?.() === 0 ? NOBODY : undefined;
  if (user) for (const path of [folder, workspace]) chownSync(path, user.uid, user.gid);
  const [bwrap = "", prlimit, setpriv, socat] = await Promise.all(
    ["bwrap", "prlimit", "setpriv", "socat"].map(findProgram),
  );
  const sandbox = bubblewrap({
    programs: { bwrap, prlimit, setpriv, socat },
    has: () => true,
    users: server === "root" ? await findUserRange() : undefined,
    system: await systemFolders(join(folder, "system")),
    paths: [],
    network: network !== undefined,
    socketFilter: writeSocketFilter(folder),
    processes,
    folders: {
      path: join(folder, "data"),
      workspaces: join(folder, "data", "workspaces"),
      firstProcesses: join(folder, "notes"),
      networkSockets: join(folder, "network"),
    },
  });
  if (user) chmodSync(folder, 0o755);
  if (network && user) {
    mkdirSync(join(folder, "network"), { mode: 0o700 });
    chownSync(join(folder, "network"), user.uid, user.gid);
  }
  const environment = { PATH: process.env.PATH ?? "" };
  const launch = async (command: string[]): Promise<Launch> => {
    await sandbox.chownWorkspace(runId, workspace, runHere);
    const launched = sandbox.launch({ runId, workspace, command, environment, network });
    return { ...launched, ...(user ? { user } : {}) };
  };
  return {
    sandbox,
    runId,
    folder,
    workspace,
    note: join(folder, "notes", runId),
    launch,
    start: async (command: string[]) => start(await launch(command)),
  };
}

/** A program that was started as its sandbox says, with what it writes and how it ends. */
export function start(launch: Launch) {
  const child = startProgram(launch, pipeMaker(temporaryFolder()));
  onFinished(() => endProcess(child.pid ?? 0));
  let said = "";
  for (const pipe of [child.stdout, child.stderr])
    pipe?.on("data", (bytes: Buffer) => {
      said += bytes;
    });
  const closed = untilClosed(child).then((code) => ({ code, said }));
  return { pid: child.pid ?? 0, child, closed, said: () => said };
}

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
export async function commandsIn(
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

interface Options extends Partial<Pick<HeldNetwork, "injections" | "endpoints" | "authorityFile">> {
  server?: "root" | "nobody";
  /** Where the API is that the programs reach. */
  apiUrl?: string;
}

/** A sandbox whose programs reach what a policy allows, through the proxy that a supervisor opens for them. */
export async function heldSandbox(
  policy: NetworkPolicy,
  {
    server = "root",
    apiUrl = "http://127.0.0.1:1",
    injections = [],
    endpoints = [],
    authorityFile,
  }: Options = {},
) {
  const network = { policy, apiUrl, injections, endpoints, authorityFile };
  const sandbox = await sandboxOf(server, { network });
  return {
    ...sandbox,
    /** Runs a program to its end. */
    async run(command: string[]) {
      const launch = await sandbox.launch(command);
      if (!launch.proxy) throw new Error("the sandbox does not hold the network");
      const proxy = await openRunProxy(launch.proxy, () => {});
      onFinished(proxy.close);
      const { code, said } = await start(launch).closed;
      const reaches = proxy.reaches();
      proxy.close();
      return { code, said, ...reaches };
    },
    sh(script: string) {
      return this.run(["sh", "-c", script]);
    },
  };
}
