import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { errorMessage, systemCode } from "../error.ts";
import { signalGroup } from "./sandbox/process-tree.ts";
import type { Launch, Sandbox } from "./sandbox/sandbox.ts";
import { startProgram } from "./sandbox/start-program.ts";
import type { AgentStream, TranscriptWriter } from "./transcript.ts";

export interface TurnOptions {
  runId: string;
  launch: Launch;
  sandbox: Pick<Sandbox, "terminate" | "endLeftBehind">;
  /** What the agent's program reads on standard input first. */
  prompt: string;
  /** Gets the standard input of a program that reads on; otherwise it ends with the prompt. */
  onInput?(input: Writable): void;
  /** Makes what a person reads of its standard output; without it that is shown as it comes. */
  reader?: { push(bytes: Buffer): Buffer; end(): Buffer };
  transcript: TranscriptWriter;
  timeoutMs: number;
  /** Ends the turn from outside. */
  signal: AbortSignal;
  /** Ends the turn because it has gone over a limit; the reason says which. */
  limit: AbortSignal;
}

/** How the agent's process ended. */
export type TurnEnd =
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: NodeJS.Signals }
  | { kind: "not_started"; message: string }
  | { kind: "timed_out" }
  | { kind: "over_limit"; message: string }
  | { kind: "stopped" };

/** Between asking an agent to end and ending it. */
const GRACE_MS = 5_000;
/** A process that left the group can hold the agent's output open; nobody waits longer for it. */
const OUTPUT_LINGER_MS = 1_000;

/**
 * Runs the agent's program in its workspace until it ends, its time is up, or the turn is stopped from outside. That a
 * program cannot be started is an end too.
 */
export async function runTurn(options: TurnOptions): Promise<TurnEnd> {
  const { transcript, reader } = options;
  const child = startAgent(options);
  if ("kind" in child) return child;
  keepOutput(child, "stdout", (bytes) => transcript.write("stdout", reader ? reader.push(bytes) : bytes));
  keepOutput(child, "stderr", (bytes) => transcript.write("stderr", bytes));
  writePrompt(child, options);

  const cutShort = endEarly(child, options);
  const end = await waitForEnd(child);
  cutShort.forget();
  if (end.kind === "not_started") return end;
  await endLeftBehind(child, options);
  await lastOutput(child);
  if (reader) transcript.write("stdout", reader.end());
  return cutShort.why() ?? end;
}

/** Node reports some failures to start by an event, and throws others: a NUL or too large an environment. */
function startAgent({ launch }: TurnOptions): ChildProcess | TurnEnd {
  try {
    return startProgram(launch);
  } catch (error) {
    return { kind: "not_started", message: startFailure(launch.command, error) };
  }
}

/** An agent that writes faster than the store takes it waits; once it has ended, only the rest in the pipe comes. */
function keepOutput(
  child: ChildProcess,
  name: AgentStream,
  write: (bytes: Buffer) => Promise<void> | undefined,
): void {
  // Without a file descriptor left for it, a child has no pipes; its failure to start is an event.
  const pipe: Readable | null | undefined = child[name];
  pipe?.on("data", async (bytes: Buffer) => {
    const behind = write(bytes);
    if (!behind || hasExited(child)) return;
    pipe.pause();
    await behind;
    pipe.resume();
  });
  child.once("exit", () => pipe?.resume());
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** An agent need not read its prompt from standard input; one that does not makes the pipe break, which is fine. */
function writePrompt({ stdin }: ChildProcess, { prompt, onInput }: TurnOptions): void {
  if (!stdin) return;
  stdin.on("error", () => {});
  if (!onInput) {
    stdin.end(prompt);
    return;
  }
  stdin.write(prompt);
  onInput(stdin);
}

interface CutShort {
  /** Why the process was ended, if it was. */
  why(): TurnEnd | undefined;
  /** Lets go of the clock and of the signal, once there is nothing left to end. */
  forget(): void;
}

/** Ends the process when its time is up or when asked to: first politely, then for good. */
function endEarly(child: ChildProcess, { sandbox, timeoutMs, signal, limit }: TurnOptions): CutShort {
  let why: TurnEnd | undefined;
  let kill: NodeJS.Timeout | undefined;
  const end = (reason: TurnEnd) => {
    if (why || child.pid === undefined) return;
    why = reason;
    const { pid } = child;
    sandbox.terminate(pid);
    kill = setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS);
  };
  const timer = setTimeout(() => end({ kind: "timed_out" }), timeoutMs);
  const stop = () => end({ kind: "stopped" });
  const overLimit = () => end({ kind: "over_limit", message: String(limit.reason) });
  signal.addEventListener("abort", stop, { once: true });
  limit.addEventListener("abort", overLimit, { once: true });
  if (signal.aborted) stop();
  if (limit.aborted) overLimit();
  return {
    why: () => why,
    forget() {
      clearTimeout(timer);
      clearTimeout(kill);
      signal.removeEventListener("abort", stop);
      limit.removeEventListener("abort", overLimit);
    },
  };
}

function waitForEnd(child: ChildProcess): Promise<TurnEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) =>
      resolve({ kind: "not_started", message: startFailure(child.spawnfile, error) }),
    );
    child.once("exit", (code, signal) =>
      resolve(signal ? { kind: "killed", signal } : { kind: "exited", code: code ?? 0 }),
    );
  });
}

/** What the agent left behind goes with it. */
async function endLeftBehind({ pid }: ChildProcess, { sandbox, runId }: TurnOptions): Promise<void> {
  if (pid !== undefined) signalGroup(pid, "SIGKILL");
  await sandbox.endLeftBehind(runId, pid);
}

/** Waits until both pipes are read to their ends, or closes them when somebody holds them open. */
async function lastOutput(child: ChildProcess): Promise<void> {
  const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null);
  const linger = setTimeout(() => {
    for (const pipe of pipes) pipe.destroy();
  }, OUTPUT_LINGER_MS);
  await Promise.allSettled(pipes.map((pipe) => finished(pipe, { writable: false })));
  clearTimeout(linger);
}

function startFailure(command: string, error: unknown): string {
  const program = `The agent's program "${command}"`;
  switch (systemCode(error)) {
    case "ENOENT":
      return `${program} is not on this server.`;
    case "EACCES":
      return `${program} may not be executed by this server.`;
    case "E2BIG":
      return `${program} could not be started: the secrets that the run is granted are too large together for an environment. Grant fewer or smaller ones.`;
    case "ERR_INVALID_ARG_VALUE":
      // Node's own words quote the value, which may be a secret.
      return `${program} could not be started: its command is empty, or a word of it or a secret of the run holds a NUL character.`;
    default:
      return `${program} could not be started: ${errorMessage(error)}.`;
  }
}
