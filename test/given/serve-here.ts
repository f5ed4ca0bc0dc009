import { AsyncLocalStorage } from "node:async_hooks";
import { Readable, Writable } from "node:stream";
import { Command } from "commander";
import { onFinished } from "./cleanup.ts";
import { endAgentsIn } from "./processes.ts";
import type { ServerOptions, ServingProgram } from "./server.ts";

/** Serves in the process of the tests what `millrace serve` with these words and variables would. */
export async function serveHere(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  dataDir: string,
  { sharesStore }: Pick<ServerOptions, "sharesStore"> = {},
): Promise<ServingProgram> {
  const { startServer } =
    await build<typeof import("../../src/server/start-server.ts")>("server/start-server.js");
  const { config, sources, notices } = await readCommandLine(words, env);
  let written = "";
  const { createLog } = await build<typeof import("../../src/log.ts")>("log.js");
  const log = createLog(config.logLevel, {
    write(line) {
      written += line;
    },
  });
  for (const notice of notices) log.warn(notice);
  const umask = process.umask();
  let stopped: Promise<void> | undefined;
  const server = await startServer({
    config,
    sources,
    ...(sharesStore === undefined ? {} : { sharesStore }),
    log,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    onFatal: () => void stop(),
  });
  // What it makes while it starts is for its user alone; what tests write is read by others too.
  process.umask(umask);
  const stop = () => {
    stopped ??= server.stop();
    return stopped;
  };
  onFinished(async () => {
    endAgentsIn(dataDir);
    await stop();
  });
  return {
    url: server.publicUrl,
    pid: () => ofProcess("pid"),
    log: () => written,
    printed: () => ofProcess("output"),
    exitCode: () => ofProcess("exit code"),
    stop: async () => {
      await stop();
      return 0;
    },
    kill: async () => ofProcess("end by a signal"),
  };
}

async function readCommandLine(words: readonly string[], env: Readonly<Record<string, string>>) {
  const { withSettingFlags, readSettingsFile } =
    await build<typeof import("../../src/cli/settings.ts")>("cli/settings.js");
  const { loadConfig } =
    await build<typeof import("../../src/config/load-config.ts")>("config/load-config.js");
  const { addressNotices, unknownVariables, missingVariables } =
    await build<typeof import("../../src/config/setting-notices.ts")>("config/setting-notices.js");
  const command = withSettingFlags(new Command("serve")).argument("[sources...]");
  const { config: file, ...flags } = command
    .parse([...words], { from: "user" })
    .opts<Record<string, string>>();
  const { config } = loadConfig({
    flags,
    env,
    ...(file === undefined ? {} : { file: await readSettingsFile(file) }),
  });
  const notices = [
    ...addressNotices(config),
    ...unknownVariables(config, env),
    ...missingVariables(config, env),
  ];
  return { config, sources: command.args, notices };
}

function ofProcess(what: string): never {
  throw new Error(`this server has no ${what} of its own: start it with sharesProcess: false`);
}

/** What a command has of its process: nothing else in the process of the tests sees it. */
type Scope = Record<(typeof SCOPED)[number], unknown>;
const SCOPED = ["env", "stdin", "stdout", "stderr"] as const;
const scope = new AsyncLocalStorage<Scope>();

/** These need a process: they serve, open a data folder, or start other programs. */
const WITH_PROCESS = new Set(["serve", "quickstart", "backup", "restore", "doctor", "keys", "init", "move"]);
let isRunning = false;

/** Exit codes are those of the whole process, so there is one command at a time. */
export function mayRunHere(args: readonly string[], env: Readonly<Record<string, string>>): boolean {
  const needsVariables = !Object.keys(env).every((name) => name.startsWith("MILLRACE_"));
  return (
    process.env.SERVERS === "shared" && !isRunning && !needsVariables && !WITH_PROCESS.has(args[0] ?? "")
  );
}

/** Runs a command of the built program in the process of the tests. */
export async function runHere(
  ...command: Parameters<typeof runScoped>
): Promise<{ code: number; said: string; printed: string }> {
  isRunning = true;
  try {
    return await runScoped(...command);
  } finally {
    isRunning = false;
  }
}

async function runScoped(args: readonly string[], env: Readonly<Record<string, string>>, input: string) {
  const { runProgram } = await build<typeof import("../../src/cli/program.ts")>("cli/program.js");
  const [stdout, stderr] = [collecting(), collecting()];
  const ofCommand: Scope = {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdin: Readable.from(input === "" ? [] : [Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  };
  const { exitCode } = process;
  const restore = scopeProcess();
  try {
    process.exitCode = undefined;
    const code = await scope.run(ofCommand, () => runProgram(["node", "millrace", ...args]));
    return { code, said: stderr.text(), printed: stdout.text() };
  } finally {
    process.exitCode = exitCode;
    restore();
  }
}

/** Has a command see its own streams and variables. @returns what undoes that */
function scopeProcess(): () => void {
  const undo = SCOPED.map((name) => {
    const real = Object.getOwnPropertyDescriptor(process, name) ?? {};
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => scope.getStore()?.[name] ?? real.value ?? real.get?.call(process),
    });
    return () => Object.defineProperty(process, name, real);
  });
  return () => {
    for (const undoOne of undo) undoOne();
  };
}

function collecting() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

/** A module of the build: its threads and processes are programs of their own. */
export function build<Module>(path: string): Promise<Module> {
  return import(/* @vite-ignore */ new URL(`../../dist/${path}`, import.meta.url).href);
}
