import type { OutputPiece } from "../../runs/output/transcript.ts";
import type { Ending } from "../../runs/run.ts";
import type { SetupCommand } from "../../runs/turn/assignment.ts";
import { lost, setupFailed } from "../../runs/turn/ending.ts";
import { createMasking, maskText } from "../../secrets/masking/mask.ts";
import type { TranscriptWriter } from "../output/transcript-writer.ts";
import type { Launch, Sandbox } from "../sandbox/sandbox.ts";
import type { ProgramListener } from "../supervisor/agent-program.ts";
import type { AgentSupervisor } from "../supervisor/agent-supervisor.ts";
import { type ProgramOutcome, runProgram } from "./run-program.ts";

export interface SetupOptions {
  runId: string;
  /** How a command is started in the workspace, as the agent is. */
  launch(command: readonly string[]): Launch;
  sandbox: Pick<Sandbox, "terminate" | "endLeftBehind" | "findMemoryKill">;
  host: Pick<AgentSupervisor, "start">;
  /** Follows what a command reaches. */
  onNetwork(): NonNullable<ProgramListener["onNetwork"]>;
  transcript: TranscriptWriter;
  /** Values that must not be shown. */
  secrets: readonly string[];
  /** For each command. */
  timeoutMs: number;
  signal: AbortSignal;
  limit: AbortSignal;
}

/** So much of a command, or of its last line, is shown in a message. */
const MAX_SHOWN = 200;

/**
 * Runs shell commands in the workspace, one after the other, each with what it has started to its end. What they write
 * is part of the transcript.
 * @returns how the run ends when one of them fails
 */
export async function runSetup(
  commands: readonly SetupCommand[],
  options: SetupOptions,
): Promise<Ending | undefined> {
  const createMasker = createMasking(options.secrets);
  for (const [index, { command, of }] of commands.entries()) {
    const place = `setup command ${index + 1} of ${commands.length} from ${of}`;
    options.transcript.note(`${place}: ${shorten(maskText(command, createMasker))}`);
    const lastLine = followLastLine(options.transcript);
    const end = await runProgram({
      ...options,
      // The command is one word to the shell, as it was written; nothing is put into it.
      launch: options.launch(["sh", "-c", command]),
      input: "",
      onNetwork: options.onNetwork(),
      transcript: lastLine.transcript,
    });
    options.signal.throwIfAborted();
    if (end.kind === "exited" && end.code === 0) continue;
    if (end.kind === "out_of_memory") options.transcript.note(`${place} was killed: ${end.reason}.`);
    const said = lastLine.read();
    const why = `S${place.slice(1)} ${howItEnded(end, options)}${said === "" ? "." : `; last output: ${said}`}`;
    return end.kind === "lost" || end.kind === "held_up" ? lost(why) : setupFailed(why);
  }
  return undefined;
}

function howItEnded(end: ProgramOutcome, { timeoutMs }: SetupOptions): string {
  switch (end.kind) {
    case "exited":
      return `exited with code ${end.code}`;
    case "killed":
      return `was killed by ${end.signal}`;
    case "timed_out":
      return `exceeded the time limit of ${timeoutMs / 1000} s (MILLRACE_SETUP_TIMEOUT)`;
    case "over_limit":
      return `was stopped: ${end.message}`;
    case "out_of_memory":
      return `was killed: ${end.reason}`;
    case "alive":
      return "started a process that could not be stopped";
    case "lost":
      return "was lost: the agent supervisor crashed";
    case "held_up":
      return "was killed: the agent supervisor did not respond while it worked for this command";
    case "not_started":
      return `could not be started: ${end.message}`;
    case "stopped":
    case "fenced":
      return "was stopped";
  }
}

/** A transcript that remembers the last line that is not empty. */
function followLastLine(transcript: TranscriptWriter) {
  const ends = { stdout: "", stderr: "" };
  let last: keyof typeof ends = "stderr";
  return {
    transcript: {
      append(pieces: readonly OutputPiece[]) {
        for (const { stream, bytes } of pieces) {
          if (stream === "harness" || stream === "event") continue;
          ends[stream] = (ends[stream] + Buffer.from(bytes).toString("utf8")).slice(-MAX_KEPT);
          last = stream;
        }
        return transcript.append(pieces);
      },
    },
    read(): string {
      const text = [ends[last], ends.stderr, ends.stdout].map((end) => end.trimEnd()).find(Boolean) ?? "";
      return shorten(text.slice(text.lastIndexOf("\n") + 1).trim());
    },
  };
}

const MAX_KEPT = 4_096;

function shorten(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN - 1)}…` : line;
}
