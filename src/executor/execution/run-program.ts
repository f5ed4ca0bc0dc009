import type { TurnResources } from "../../runs/output/usage.ts";
import type { Ending } from "../../runs/run.ts";
import { failed, lost, setupFailed } from "../../runs/turn/ending.ts";
import type { TranscriptWriter } from "../output/transcript-writer.ts";
import { endLostRun, signalGroup } from "../sandbox/process-tree.ts";
import type { Launch, Sandbox } from "../sandbox/sandbox.ts";
import type {
  AgentProgram,
  HeldUp,
  Lost,
  NotStarted,
  ProgramInput,
  ProgramListener,
} from "../supervisor/agent-program.ts";
import type { AgentSupervisor } from "../supervisor/agent-supervisor.ts";
import type { ProgramEnd, ProgramSpec } from "../supervisor/supervisor-messages.ts";

/** A program that has been started, or is being started, and how it is followed. */
export interface FollowOptions {
  runId: string;
  sandbox: Pick<Sandbox, "terminate" | "endLeftBehind" | "findMemoryKill" | "findResources">;
  /** Gets the standard input of a program that reads on; otherwise it ends with its first input. */
  onInput?(input: ProgramInput): void;
  timeoutMs: number;
  /** Ends the program from outside. */
  signal: AbortSignal;
  /** Ends the program because the run has gone over a limit; the reason says which. */
  limit: AbortSignal;
  /** Hears what the program has taken of the machine, where that is counted. */
  onResources?(resources: TurnResources): void;
}

export interface ProgramOptions extends FollowOptions {
  host: Pick<AgentSupervisor, "start">;
  launch: Launch;
  /** What the program reads on standard input first. */
  input: string;
  /** How its standard output is read, and who is told what that tells; without it that is shown as it comes. */
  output?: ProgramSpec["output"];
  onReport?: NonNullable<ProgramListener["onReport"]>;
  /** Is told what it reaches over the network, where that is looked after. */
  onNetwork?: NonNullable<ProgramListener["onNetwork"]>;
  /** Values that must not be shown. */
  secrets: readonly string[];
  transcript: Pick<TranscriptWriter, "append">;
}

/** What became of a program. */
export type ProgramOutcome =
  | Exclude<ProgramEnd, { kind: "fenced" }>
  | NotStarted
  | HeldUp
  | Lost
  | { kind: "timed_out" }
  | { kind: "over_limit"; message: string }
  /** The kernel has killed it; the reason is the end of a sentence. */
  | { kind: "out_of_memory"; reason: string }
  | { kind: "stopped" }
  /** Its turn is not held any more: whoever has it now says how it ends. */
  | { kind: "fenced" }
  /** It has ended, and something that it started could not be ended: its workspace may still change. */
  | { kind: "alive" };

/** Between asking a program to end and ending it. */
const GRACE_MS = 5_000;

/**
 * Runs a program of a run, its agent or a command of its setup, until it ends, its time is up, or it is stopped from
 * outside; then nothing that it has started is left. That it cannot be started is an outcome too.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramOutcome> {
  const { host, launch, input, secrets, transcript, onInput, onReport, onNetwork } = options;
  const program = host.start(
    { launch, input, keepsInput: onInput !== undefined, output: options.output ?? "text", secrets },
    {
      onOutput: (pieces) => transcript.append(pieces),
      ...(onReport ? { onReport } : {}),
      ...(onNetwork ? { onNetwork } : {}),
    },
  );
  return followToEnd(program, options);
}

/** Follows a program until nothing of it is left, and ends it when its time is up or when asked to. */
export async function followToEnd(program: AgentProgram, options: FollowOptions): Promise<ProgramOutcome> {
  const { sandbox, runId, onInput, onResources } = options;
  const start = await program.started;
  if ("kind" in start) {
    // It may have been started: who could have told is gone.
    if (start.kind === "lost" && !(await endLost(options))) return { kind: "alive" };
    return start;
  }
  const { pid } = start;
  onInput?.(program.input);
  const cutShort = endEarly(pid, options);
  const end = await program.exited;
  cutShort.forget();
  const memoryKill = sandbox.findMemoryKill?.(runId);
  const resources = sandbox.findResources?.(runId);
  if (resources) onResources?.(resources);
  // Before anything of the workspace is read: nothing of the agent may change it any more.
  const isEnded = await (end.kind === "lost" ? endLost(options, pid) : sandbox.endLeftBehind(runId, pid));
  await program.closed;
  if (!isEnded) return { kind: "alive" };
  const hasSucceeded = end.kind === "exited" && end.code === 0;
  if (memoryKill !== undefined && !hasSucceeded && !cutShort.why())
    return { kind: "out_of_memory", reason: memoryKill };
  return cutShort.why() ?? end;
}

/** Ends what a program has left whose host has ended, and the program. */
async function endLost({ sandbox, runId }: FollowOptions, pid?: number): Promise<boolean> {
  if (pid !== undefined) signalGroup(pid, "SIGKILL");
  return endLostRun(runId, sandbox, pid);
}

interface CutShort {
  /** Why the process was ended, if it was. */
  why(): ProgramOutcome | undefined;
  /** Lets go of the clock and of the signal, once there is nothing left to end. */
  forget(): void;
}

/** Ends the process when its time is up or when asked to: first politely, then permanently. */
function endEarly(pid: number, { sandbox, runId, timeoutMs, signal, limit }: FollowOptions): CutShort {
  let why: ProgramOutcome | undefined;
  let kill: NodeJS.Timeout | undefined;
  const end = (reason: ProgramOutcome) => {
    if (why) return;
    why = reason;
    sandbox.terminate(pid, runId);
    kill = setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS);
  };
  const timer = setTimeout(() => end({ kind: "timed_out" }), timeoutMs);
  const stop = () => {
    end({ kind: "stopped" });
    if (signal.reason instanceof EndAtOnce) signalGroup(pid, "SIGKILL");
  };
  const overLimit = () => {
    end({ kind: "over_limit", message: String(limit.reason) });
    // What takes too much must not take more while it is asked to end.
    signalGroup(pid, "SIGKILL");
  };
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

/**
 * What the end of an agent's process means for its run.
 * @param reason why it failed, where it has said so
 */
export function endingOf(
  end: Exclude<ProgramOutcome, { kind: "fenced" }>,
  timeoutMs: number,
  reason?: string,
): Ending {
  switch (end.kind) {
    case "exited": {
      if (end.code === 0) return { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
      return failed(`The agent exited with code ${end.code}${reason ? `: ${reason}` : "."}`, end.code);
    }
    case "killed":
      return failed(`The agent was killed by ${end.signal}.`, null);
    case "not_started":
      return { ...setupFailed(`The agent's ${end.message}`), isUnstarted: true };
    case "timed_out":
      return lost(
        `The agent was stopped: it exceeded the time limit of ${timeoutMs / 1000} s (MILLRACE_RUN_TIMEOUT).`,
      );
    case "over_limit":
      return failed(end.message, null);
    case "out_of_memory":
      return failed(`The agent was killed: ${end.reason}.`, null);
    case "lost":
      return lost(
        "The agent supervisor crashed, and the agent was terminated. Send a follow-up to start another turn.",
      );
    case "held_up":
      return lost(
        "The agent was killed: the agent supervisor did not respond while it worked for this agent, and all other runs had to wait. Send a follow-up to start another turn.",
      );
    case "alive":
      return lost(
        "The agent exited, but a process that it started could not be stopped. Its files in artifacts/ were not stored.",
      );
    case "stopped":
      return lost("The agent was stopped: the server shut down, or the worker that executed it.");
  }
}

/** Why programs of a turn are ended that get no time to end by themselves: somebody else may soon execute the run. */
export class EndAtOnce extends Error {
  override name = "EndAtOnce";
}
