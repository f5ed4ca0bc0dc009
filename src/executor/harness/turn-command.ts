import type { Run } from "../../runs/run.ts";
import type { AmbientAgentConfig } from "../../runs/run-config.ts";
import { claudeMessage } from "./claude-output.ts";
import type { HarnessRow } from "./harness.ts";

/** What is known of a turn when its program is started. */
export interface CommandFacts {
  run: Pick<Run, "harnessSession" | "execution">;
  hasMcpServers: boolean;
  /** Whether the session is held open for messages. */
  isLive: boolean;
}

/** The words that start a turn: the row's own, then those that hand over what is chosen for the run. */
export function turnCommand(row: HarnessRow, { run, hasMcpServers, isLive }: CommandFacts): string[] {
  const { harnessSession } = run;
  const { model, reasoningLevel } = run.execution.harness;
  const words =
    row.resume && harnessSession !== null ? filled(row.resume, "{session}", harnessSession) : row.command;
  const options = [
    ...(row.arguments ?? []),
    ...(row.model && model !== undefined ? filled(row.model, "{model}", model) : []),
    ...(row.reasoningLevel && reasoningLevel !== undefined
      ? filled(row.reasoningLevel, "{level}", reasoningLevel)
      : []),
    ...(hasMcpServers ? (row.mcp?.arguments ?? []) : []),
    ...(isLive ? (row.live?.arguments ?? []) : []),
  ];
  // What stands for standard input stays last.
  return words.at(-1) === "-" ? [...words.slice(0, -1), ...options, "-"] : [...words, ...options];
}

/** Within words only: a value never becomes two arguments. */
function filled(words: readonly string[], placeholder: string, value: string): string[] {
  return words.map((word) => word.replaceAll(placeholder, () => value));
}

/** A message as a session reads it that takes messages: one line of JSON. */
export function messageLine(text: string): string {
  return `${JSON.stringify({ type: "message", text })}\n`;
}

/** How messages are written to a session, when it takes them. */
export interface LiveInput {
  encode(message: string): string;
  /** How long it waits for a message when it has nothing to do, in milliseconds; for ever when it says nothing of that. */
  idleMs: number | undefined;
}

/** Whether the session of a run takes messages: always where its program does, else where the run asks for it. */
export function liveInput(
  row: HarnessRow,
  { idle_timeout_minutes: minutes }: AmbientAgentConfig,
): LiveInput | undefined {
  if (row.stdin === "messages") return { encode: messageLine, idleMs: undefined };
  const asked = typeof minutes === "number" && minutes > 0;
  if (!row.live || !asked) return undefined;
  return { encode: claudeMessage, idleMs: minutes * 60_000 };
}
