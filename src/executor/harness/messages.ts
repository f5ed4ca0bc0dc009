import type { AmbientAgentConfig } from "../../runs/ambient-agent-config.ts";
import { claudeMessage } from "./claude-output.ts";
import type { HarnessRow } from "./harness.ts";

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
