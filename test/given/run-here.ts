import { AsyncLocalStorage } from "node:async_hooks";
import { Readable, Writable } from "node:stream";
import { build } from "./build-modules.ts";

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
