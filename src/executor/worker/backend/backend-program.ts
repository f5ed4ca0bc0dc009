import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage, systemCode } from "../../../errors/error.ts";
import { formProblem } from "../../../workers/protocol/answers.ts";
import {
  BACKEND_ANSWERS,
  BACKEND_VERSION,
  type BackendVerb,
  type HandleRequest,
  type StartAnswer,
  type StartRequest,
  type StatusAnswer,
} from "./program-forms.ts";

type Unversioned<Request> = Omit<Request, "version">;

/** The program that starts turns elsewhere, which an operator has written. @throws Error with a sentence, from every call */
export interface BackendProgram {
  start(request: Unversioned<StartRequest>, signal: AbortSignal): Promise<StartAnswer>;
  status(request: Unversioned<HandleRequest>, signal: AbortSignal): Promise<StatusAnswer>;
  cancel(request: Unversioned<HandleRequest>, signal: AbortSignal): Promise<void>;
}

/** Calls at the same time: a server may offer hundreds of runs at once. */
const MAX_CALLS = 4;

export function createBackendProgram(command: readonly string[], limits?: CallLimits): BackendProgram {
  const environment = programEnvironment(process.env);
  let calls = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (calls >= MAX_CALLS) await new Promise<void>((resolve) => waiting.push(resolve));
    else calls += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // Who comes next takes the place over.
      if (next) next();
      else calls -= 1;
    }
  }

  async function call<Answer>(verb: BackendVerb, request: object, signal: AbortSignal): Promise<Answer> {
    const input = JSON.stringify({ version: BACKEND_VERSION, ...request });
    const output = await inTurn(() =>
      callProgram([...command, verb], { input, environment, signal, ...(limits ? { limits } : {}) }),
    ).catch((error) => {
      throw new Error(`\`${verb}\` of the backend ${errorMessage(error)}`);
    });
    return parsed(verb, output) as Answer;
  }

  return {
    start: (request, signal) => call("start", request, signal),
    status: (request, signal) => call("status", request, signal),
    async cancel(request, signal) {
      await call("cancel", request, signal);
    },
  };
}

function parsed(verb: BackendVerb, output: string): unknown {
  if (output.trim() === "" && verb !== "status") return {};
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    throw new Error(`\`${verb}\` of the backend did not answer with JSON, but with: ${beginning(output)}`);
  }
  const problem = formProblem(BACKEND_ANSWERS[verb], answer);
  if (problem === undefined) return answer;
  throw new Error(`The answer of \`${verb}\` of the backend is not valid: ${problem}.`);
}

/** What the operator has set for the program; the settings of millrace, keys among them, are not for it. */
function programEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || name.startsWith("MILLRACE_") ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

function beginning(output: string): string {
  const line = output.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line === "" ? "nothing" : JSON.stringify(line.slice(0, 100));
}

interface CallLimits {
  timeMs: number;
  outputBytes: number;
}

export interface ProgramCall {
  /** What is written to its standard input. */
  input: string;
  environment: Record<string, string>;
  /** Aborts when the answer is of no use any more. */
  signal: AbortSignal;
  limits?: CallLimits;
}

const LIMITS: CallLimits = { timeMs: 60_000, outputBytes: 64 * 1024 };
/** What is quoted of standard error. */
const MAX_ERROR = 4 * 1024;
const MAX_QUOTED = 300;
/** A job that was started in the background may hold the pipes open. */
const PIPES_MS = 500;

/**
 * Calls a program that answers soon.
 * @returns what it wrote to standard output
 * @throws Error whose message goes on after the name of the program: "exited with code 1: …"
 */
async function callProgram(
  [program = "", ...args]: readonly string[],
  { input, environment, signal, limits = LIMITS }: ProgramCall,
): Promise<string> {
  signal.throwIfAborted();
  // A process group of its own: at the time limit, what it waits for ends with it.
  const child = spawn(program, args, { env: environment, stdio: ["pipe", "pipe", "pipe"], detached: true });
  let failure: Error | undefined;
  const fail = (message: string) => {
    failure ??= new Error(message);
    endGroup(child);
  };
  const timer = setTimeout(
    () => fail(`did not answer within ${limits.timeMs / 1_000} seconds.`),
    limits.timeMs,
  );
  const onAbort = () => fail("was ended, because the worker stops.");
  signal.addEventListener("abort", onAbort, { once: true });
  const output: Buffer[] = [];
  let size = 0;
  child.stdout.on("data", (bytes: Buffer) => {
    size += bytes.length;
    if (size > limits.outputBytes) fail(`answered with more than ${limits.outputBytes} bytes.`);
    else output.push(bytes);
  });
  let errors = Buffer.alloc(0);
  child.stderr.on("data", (bytes: Buffer) => {
    errors = Buffer.concat([errors, bytes]).subarray(-MAX_ERROR);
  });
  // It may end without having read.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  try {
    const { code, killedBy } = await ended(child);
    if (failure) throw failure;
    if (code === 0) return Buffer.concat(output).toString("utf8");
    const how = killedBy === null ? `exited with code ${code}` : `was ended by ${killedBy}`;
    throw new Error(`${how}${quoted(errors.toString("utf8"))}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

async function ended(child: ChildProcess): Promise<{ code: number | null; killedBy: NodeJS.Signals | null }> {
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const exited = await new Promise<{ code: number | null; killedBy: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once("error", (error) => reject(new Error(startFailure(error))));
      child.once("exit", (code, killedBy) => resolve({ code, killedBy }));
    },
  );
  await Promise.race([closed, sleep(PIPES_MS, undefined, { ref: false })]);
  return exited;
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended in the same moment.
  }
}

function startFailure(error: unknown): string {
  const code = systemCode(error);
  if (code === "ENOENT") return "could not be called: the program was not found.";
  if (code === "EACCES") return "could not be called: the program is not executable by this user.";
  return `could not be called (${code ?? "unknown error"}).`;
}

/** The last line says most. */
function quoted(errors: string): string {
  const lines = errors.split("\n").map((line) => line.replace(/[\s\p{Cc}]+/gu, " ").trim());
  const last = lines.findLast((line) => line !== "");
  return last === undefined ? "." : `: ${last.slice(0, MAX_QUOTED)}`;
}
