import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onFinished } from "./cleanup.ts";
import { conforming } from "./conformance.ts";
import { folderWith, temporaryFolder } from "./folder.ts";
import { measureStart } from "./measure-file.ts";
import { postgresEnvironment } from "./postgres.ts";
import { endAgentsIn, endProcess, supervisorOf } from "./processes.ts";
import { mayRunHere, runHere, serveHere } from "./serve-here.ts";

export const PROGRAM = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
/** How the program is started: by Node, or the binary that `npm run test:binary` names. */
export const MILLRACE: readonly string[] = process.env.MILLRACE_BINARY
  ? [process.env.MILLRACE_BINARY]
  : [process.execPath, PROGRAM];
/** How long a server may take to start, on a machine that runs many tests. */
const START_SECONDS = 60;
export const ADMIN_KEY = "test-admin-key-0123456789";

export interface ServerOptions {
  sources: string[];
  dataDir?: string;
  /** Another build of the program. */
  program?: string;
  /** What the program is started with, for a tracer. */
  wrapper?: string[];
  args?: string[];
  env?: Record<string, string>;
  /** Where the server is reached, when its public URL is somewhere else. */
  reachedAt?: string;
  /** The agent's program as JavaScript. */
  agent?: string;
  /**
   * Whether it may be a part of the process of the tests, which takes less CPU time and is the default: it can be stopped and has a log,
   * but nobody can kill it, trace it, or see what it prints. Stories start the program all the same, as its users do.
   */
  sharesProcess?: boolean;
  /** Whether it keeps everything in its store, as servers that share one do. It has to share the process of the tests. */
  sharesStore?: boolean;
}

/** A program that serves. Without a process of its own it can only be stopped, and has a log. */
export interface ServingProgram {
  url: string;
  pid(): number;
  log(): string;
  printed(): string;
  exitCode(): number | null;
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

/** A started server, and ways to talk to it; what its API answers is held to the description of the API. */
export interface Server {
  url: string;
  dataDir: string;
  pid: number;
  /** A request to the API with the admin key. @throws Error when the answer is not 2xx */
  api<Answer = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A request as it is: no key, no check. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** What it measures, asked for with the admin key. */
  metrics(): Promise<Response>;
  /** What the server has written to its log. */
  log(): string;
  /** What it has told whoever started it. */
  printed(): string;
  /** With what it has ended; null while it runs. */
  exitCode(): number | null;
  /** Ends the server in order. @returns its exit code */
  stop(): Promise<number | null>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
}

/** A proxy on a loopback address is trusted only where no agent can send from there. */
export const LOOPBACK_PROXY = {
  MILLRACE_TRUST_PROXY: "127.0.0.1",
  MILLRACE_SANDBOX: "bwrap",
  MILLRACE_SANDBOX_NETWORK: "off",
};

/** Does nothing and ends well. */
const IDLE_AGENT = "process.exit(0)";

/** Starts the built program on a port of its own, and ends it with the test. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const dataDir = options.dataDir ?? join(temporaryFolder("millrace-data"), "data");
  const agentFolder = folderWith({ "agent.mjs": options.agent ?? IDLE_AGENT });
  // An agent may run as another user than the tests.
  chmodSync(agentFolder, 0o755);
  const agentFile = join(agentFolder, "agent.mjs");
  chmodSync(agentFile, 0o644);
  const env: Record<string, string> = {
    MILLRACE_LISTEN: "127.0.0.1:0",
    MILLRACE_DATA_DIR: dataDir,
    MILLRACE_ADMIN_KEY: ADMIN_KEY,
    MILLRACE_AGENT_COMMAND: `${process.execPath} ${agentFile}`,
    MILLRACE_DRAIN_TIMEOUT: "1s",
    MILLRACE_SANDBOX: "none",
    // An agent that leaves an answer unread goes on until the server closes its connection.
    MILLRACE_KEEP_ALIVE: "5s",
    ...(await postgresEnvironment(dataDir)),
    ...options.env,
  };
  const words = [...options.sources, ...(options.args ?? [])];
  const program = await measureStart(() =>
    mayShareProcess(options)
      ? serveHere(words, env, dataDir, options)
      : serveInOwnProcess(words, env, dataDir, options),
  );
  const url = options.reachedAt ?? program.url;
  const fetchConforming = async (path: string, init?: RequestInit) =>
    conforming(init?.method ?? "GET", path, await fetch(url + path, init));
  const authorization = `Bearer ${options.env?.MILLRACE_ADMIN_KEY ?? ADMIN_KEY}`;
  return {
    ...program,
    url,
    dataDir,
    get pid() {
      return program.pid();
    },
    fetch: fetchConforming,
    async api(method, path, body) {
      const answer = await fetchConforming(`/api/v1${path}`, {
        method,
        headers: { authorization, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    metrics: () => fetchConforming("/metrics", { headers: { authorization } }),
  };
}

/** Git, agents and proxies read variables of the process itself, so a server that has some needs one. */
function mayShareProcess({ sharesProcess = true, wrapper = [], program, env = {} }: ServerOptions): boolean {
  if (!sharesProcess || program !== undefined || wrapper.length > 0) return false;
  return process.env.SERVERS === "shared" && Object.keys(env).every((name) => name.startsWith("MILLRACE_"));
}

async function serveInOwnProcess(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  dataDir: string,
  { wrapper = [], program }: ServerOptions,
): Promise<ServingProgram> {
  const millrace = program ? [process.execPath, program] : MILLRACE;
  const [command = "", ...args] = [...wrapper, ...millrace, "serve", ...words];
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await ended(child, "SIGKILL");
    endAgentsIn(dataDir);
  });
  let output = "";
  let log = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    log += chunk;
  });
  const url = await waitFor(() => {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${log}`);
    return /^millrace serves (\S+)$/m.exec(output)?.[1];
  }, START_SECONDS);
  return {
    url,
    pid: () => child.pid ?? 0,
    log: () => log,
    printed: () => output,
    exitCode: () => child.exitCode,
    stop: () => ended(child, "SIGTERM"),
    kill: async () => {
      await ended(child, "SIGKILL");
    },
  };
}

/** A server that cannot start. @returns its exit code and what it said */
export async function failToStart(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; said: string }> {
  return run(["serve", ...args], { MILLRACE_LISTEN: "127.0.0.1:0", ...env });
}

/**
 * Runs the built program to its end, in a process of its own where that matters. A reader that reads once leaves after the first
 * output, as `head` does.
 */
export async function run(
  args: string[],
  env: Record<string, string> = {},
  input = "",
  { readsOnce = false, cwd = process.cwd(), ownProcess = false } = {},
): Promise<{ code: number | null; said: string; printed: string }> {
  if (!ownProcess && !readsOnce && cwd === process.cwd() && mayRunHere(args, env))
    return runHere(args, env, input);
  const [command = "", ...words] = MILLRACE;
  const child = spawn(command, [...words, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    cwd,
  });
  onFinished(() => {
    child.kill("SIGKILL");
  });
  let said = "";
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk;
    if (readsOnce) child.stdout.destroy();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, said, printed };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code));
    child.kill(signal);
  });
}

/** Asks again and again until there is an answer: nearly as long as a test may take, since a machine may be busy. */
export async function waitFor<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  seconds = 50,
): Promise<NonNullable<T>> {
  const until = Date.now() + seconds * 1_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer as NonNullable<T>;
    if (Date.now() > until) throw new Error(`waited ${seconds} s in vain`);
    await sleep(25);
  }
}

/** Ends a server with its agent supervisor, as a crash of the machine does: nobody takes its agents up. */
export async function crash(server: Pick<Server, "kill" | "dataDir">): Promise<void> {
  const supervisor = supervisorOf(server);
  await server.kill();
  if (supervisor !== undefined) endProcess(supervisor);
}
