import { type ChildProcess, spawn } from "node:child_process";
import { errorMessage, systemCode } from "../error.ts";
import type { HarnessProgram } from "./harness.ts";
import { killLeftovers, signalGroup } from "./process-tree.ts";
import type { TranscriptWriter } from "./transcript.ts";

export interface TurnOptions {
  runId: string;
  program: HarnessProgram;
  workspace: string;
  environment: Record<string, string>;
  prompt: string;
  transcript: TranscriptWriter;
  timeoutMs: number;
  /** Ends the turn from outside. */
  signal: AbortSignal;
}

/** How the agent's process ended. */
export type TurnEnd =
  | { kind: "exited"; code: number }
  | { kind: "killed"; signal: NodeJS.Signals }
  | { kind: "not_started"; message: string }
  | { kind: "timed_out" }
  | { kind: "stopped" };

/** Between asking an agent to end and ending it. */
const GRACE_MS = 5_000;
/** A process that left the group can hold the agent's output open; nobody waits longer for it. */
const OUTPUT_LINGER_MS = 1_000;

/** Runs the agent's program in its workspace until it ends, its time is up, or the turn is stopped from outside. */
export async function runTurn(options: TurnOptions): Promise<TurnEnd> {
  const { program, transcript } = options;
  const [command = "", ...args] = program.command;
  // A group of its own, so that its children can be ended with it.
  const child = spawn(command, args, {
    cwd: options.workspace,
    env: options.environment,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  child.stdout.on("data", (bytes: Buffer) => transcript.write("stdout", bytes));
  child.stderr.on("data", (bytes: Buffer) => transcript.write("stderr", bytes));
  writePrompt(child, program.promptOnStdin ? options.prompt : "");

  const cutShort = endEarly(child, options);
  const end = await waitForEnd(child, options.runId);
  return cutShort.why() ?? end;
}

/** An agent need not read its prompt from standard input; one that does not makes the pipe break, which is fine. */
function writePrompt(child: ChildProcess, prompt: string): void {
  child.stdin?.on("error", () => {});
  child.stdin?.end(prompt);
}

/** Ends the process when its time is up or when asked to: first politely, then for good. */
function endEarly(child: ChildProcess, { timeoutMs, signal }: TurnOptions): { why(): TurnEnd | undefined } {
  let why: TurnEnd | undefined;
  let kill: NodeJS.Timeout | undefined;
  const end = (reason: TurnEnd) => {
    if (why || child.pid === undefined) return;
    why = reason;
    const { pid } = child;
    signalGroup(pid, "SIGTERM");
    kill = setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS);
  };
  const timer = setTimeout(() => end({ kind: "timed_out" }), timeoutMs);
  const stop = () => end({ kind: "stopped" });
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  child.once("exit", () => {
    clearTimeout(timer);
    clearTimeout(kill);
    signal.removeEventListener("abort", stop);
  });
  return { why: () => why };
}

function waitForEnd(child: ChildProcess, runId: string): Promise<TurnEnd> {
  const closed = new Promise((resolve) => child.once("close", resolve));
  return new Promise((resolve) => {
    child.once("error", (error) =>
      resolve({ kind: "not_started", message: startFailure(child.spawnfile, error) }),
    );
    child.once("exit", async (code, signal) => {
      // What the agent left behind goes with it.
      if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
      await killLeftovers(runId);
      const linger = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, OUTPUT_LINGER_MS);
      await closed;
      clearTimeout(linger);
      resolve(signal ? { kind: "killed", signal } : { kind: "exited", code: code ?? 0 });
    });
  });
}

function startFailure(command: string, error: unknown): string {
  if (systemCode(error) === "ENOENT") return `The agent's program "${command}" is not on this server.`;
  if (systemCode(error) === "EACCES")
    return `The agent's program "${command}" may not be executed by this server.`;
  return `The agent's program "${command}" could not be started: ${errorMessage(error)}.`;
}
