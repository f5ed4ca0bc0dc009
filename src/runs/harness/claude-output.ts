import type { OutputReport } from "./output-reader.ts";
import { parseEvent } from "./parse-event.ts";

/** One event of `claude --print --output-format stream-json --verbose`. */
interface ClaudeEvent {
  type?: string;
  subtype?: string;
  session_id?: string;
  result?: string;
  message?: { content?: ClaudeBlock[] | string };
}

interface ClaudeBlock {
  type?: string;
  text?: string;
  name?: string;
  input?: unknown;
}

export function readClaudeLine(line: string): OutputReport | undefined {
  const event = parseEvent<ClaudeEvent>(line);
  switch (event?.type) {
    case "system":
      return event.subtype === "init" && event.session_id ? { session: event.session_id } : {};
    case "assistant":
      return { text: blocksOf(event).map(blockText).filter(Boolean).join("\n") };
    // What tools answered: the agent says what matters of it.
    case "user":
      return {};
    case "result":
      return { isIdle: true, ...(event.result === undefined ? {} : { answer: event.result }) };
    default:
      return event && {};
  }
}

function blocksOf({ message }: ClaudeEvent): ClaudeBlock[] {
  return Array.isArray(message?.content) ? message.content : [];
}

function blockText({ type, text = "", name, input }: ClaudeBlock): string {
  if (type === "text") return text;
  return type === "tool_use" ? `> ${name} ${JSON.stringify(input)}` : "";
}

/** A message as such a session reads it, when its input is `stream-json`. */
export function claudeMessage(text: string): string {
  const message = { role: "user", content: [{ type: "text", text }] };
  return `${JSON.stringify({ type: "user", message })}\n`;
}
