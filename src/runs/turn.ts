import type { AgentHost } from "./host/agent-host.ts";
import type { Lost, NotStarted, ProgramInput, ProgramListener } from "./host/agent-program.ts";
import type { ProgramEnd, ProgramSpec } from "./host/host-messages.ts";
import { killLeftovers, signalGroup } from "./sandbox/process-tree.ts";
import type { Launch, Sandbox } from "./sandbox/sandbox.ts";
import type { TranscriptWriter } from "./transcript.ts";

export interface TurnOptions {
  runId: string;
  host: Pick<AgentHost, "start">;
  launch: Launch;
  sandbox: Pick<Sandbox, "terminate" | "endLeftBehind">;
  /** What the agent's program reads on standard input first. */
  prompt: string;
  /** Gets the standard input of a program that reads on; otherwise it ends with the prompt. */
  onInput?(input: ProgramInput): void;
  /** How its standard output is read, and who is told what that tells; without it that is shown as it comes. */
  output?: ProgramSpec["output"];
  onReport?: NonNullable<ProgramListener["onReport"]>;
  /** Values that must not be shown. */
  secrets: readonly string[];
  transcript: Pick<TranscriptWriter, "append">;
  timeoutMs: number;
  /** Ends the turn from outside. */
  signal: AbortSignal;
  /** Ends the turn because it has gone over a limit; the reason says which. */
  limit: AbortSignal;
}

/** How the agent's process ended. */
export type TurnEnd =
  | ProgramEnd
  | NotStarted
  | Lost
  | { kind: "timed_out" }
  | { kind: "over_limit"; message: string }
  | { kind: "stopped" };

/** Between asking an agent to end and ending it. */
const GRACE_MS = 5_000;

/**
 * Runs the agent's program in its workspace until it ends, its time is up, or the turn is stopped from outside. That a
 * program cannot be started is an end too.
 */
export async function runTurn(options: TurnOptions): Promise<TurnEnd> {
  const { host, launch, prompt, secrets, transcript, sandbox, runId, onInput, onReport } = options;
  const program = host.start(
    { launch, input: prompt, keepsInput: onInput !== undefined, output: options.output ?? "text", secrets },
    { onOutput: (pieces) => transcript.append(pieces), ...(onReport ? { onReport } : {}) },
  );
  const start = await program.started;
  if ("kind" in start) return start;
  const { pid } = start;
  onInput?.(program.input);
  const cutShort = endEarly(pid, options);
  const end = await program.exited;
  cutShort.forget();
  if (end.kind === "lost") signalGroup(pid, "SIGKILL");
  await sandbox.endLeftBehind(runId, pid);
  if (end.kind === "lost") await killLeftovers(runId);
  await program.closed;
  return cutShort.why() ?? end;
}

interface CutShort {
  /** Why the process was ended, if it was. */
  why(): TurnEnd | undefined;
  /** Lets go of the clock and of the signal, once there is nothing left to end. */
  forget(): void;
}

/** Ends the process when its time is up or when asked to: first politely, then for good. */
function endEarly(pid: number, { sandbox, timeoutMs, signal, limit }: TurnOptions): CutShort {
  let why: TurnEnd | undefined;
  let kill: NodeJS.Timeout | undefined;
  const end = (reason: TurnEnd) => {
    if (why) return;
    why = reason;
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
