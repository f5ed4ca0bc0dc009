import type { AgentHost } from "../host/agent-host.ts";
import type { OutputPiece } from "../host/host-messages.ts";
import { createMasking, maskText } from "../mask.ts";
import type { SetupCommand } from "../needs.ts";
import { type ProgramOutcome, runProgram } from "../run-program.ts";
import type { Launch, Sandbox } from "../sandbox/sandbox.ts";
import type { TranscriptWriter } from "../transcript.ts";

export interface SetupOptions {
  runId: string;
  /** How a command is started in the workspace, as the agent is. */
  launch(command: readonly string[]): Launch;
  sandbox: Pick<Sandbox, "terminate" | "endLeftBehind">;
  host: Pick<AgentHost, "start">;
  transcript: TranscriptWriter;
  /** Values that must not be shown. */
  secrets: readonly string[];
  /** For each command. */
  timeoutMs: number;
  signal: AbortSignal;
  limit: AbortSignal;
}

/** So much of a command, or of its last line, is shown in a message. */
const LONGEST_SHOWN = 200;

/**
 * Runs shell commands in the workspace, one after the other, each with what it has started to its end. What they write
 * is part of the transcript.
 * @returns why the first one that failed did
 */
export async function runSetup(
  commands: readonly SetupCommand[],
  options: SetupOptions,
): Promise<string | undefined> {
  const createMasker = createMasking(options.secrets);
  for (const [index, { command, of }] of commands.entries()) {
    const place = `setup command ${index + 1} of ${commands.length}, of ${of}`;
    options.transcript.note(`${place}: ${shorten(maskText(command, createMasker))}`);
    const lastLine = followLastLine(options.transcript);
    const end = await runProgram({
      ...options,
      // The command is one word to the shell, as it was written; nothing is put into it.
      launch: options.launch(["sh", "-c", command]),
      input: "",
      transcript: lastLine.transcript,
    });
    options.signal.throwIfAborted();
    if (end.kind === "exited" && end.code === 0) continue;
    const said = lastLine.read();
    return `S${place.slice(1)}, ${howItEnded(end, options)}${said === "" ? "." : `; the last that it wrote: ${said}`}`;
  }
  return undefined;
}

function howItEnded(end: ProgramOutcome, { timeoutMs }: SetupOptions): string {
  switch (end.kind) {
    case "exited":
      return `ended with exit code ${end.code}`;
    case "killed":
      return `was ended by ${end.signal}`;
    case "timed_out":
      return `ran longer than the limit of ${timeoutMs / 1000} s (MILLRACE_RUN_TIMEOUT)`;
    case "over_limit":
      return `was ended: ${end.message}`;
    case "alive":
      return "started a process that could not be ended";
    case "lost":
      return "was lost: the process that had the programs of this server has ended";
    case "not_started":
      return `could not be started: ${end.message}`;
    case "stopped":
      return "was ended";
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
          ends[stream] = (ends[stream] + Buffer.from(bytes).toString("utf8")).slice(-LONGEST_KEPT);
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

const LONGEST_KEPT = 4_096;

function shorten(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN - 1)}…` : line;
}
