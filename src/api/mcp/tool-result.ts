import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { MillraceError } from "../../errors/error.ts";
import type { ToolAnswer } from "./tool.ts";

/** What a model reads costs tokens, and all of it stays in its conversation. */
const MAX_RESULT_CHARACTERS = 100 * 1024;

/**
 * The answer of a tool as the protocol has it. Where there is data, claude and codex show their models nothing else, so it
 * contains the words. Data that is too large is left out: the words have what matters.
 */
export function resultOf({ text, data }: ToolAnswer): CallToolResult {
  const isSmall = data !== undefined && JSON.stringify(data).length <= MAX_RESULT_CHARACTERS;
  return {
    content: [{ type: "text", text: bounded(text) }],
    ...(isSmall ? { structuredContent: { text: bounded(text), ...data } } : {}),
  };
}

/** A failure as a result that the model reads: what happened, and what to do. */
export function failureOf(error: MillraceError): CallToolResult {
  const { message, remedy, code } = error;
  const text = [message, remedy].filter(Boolean).join(" ");
  return {
    content: [{ type: "text", text: bounded(text) }],
    structuredContent: { error: { code, message, ...(remedy === undefined ? {} : { remedy }) } },
    isError: true,
  };
}

/** A failure that nobody foresaw; its own words are for the log. */
export function unforeseen(traceId: string): CallToolResult {
  return failureOf(
    new MillraceError("internal_error", `The server failed (trace ${traceId}).`, {
      remedy: "Retry; if it fails again, tell a person.",
    }),
  );
}

function bounded(text: string): string {
  if (text.length <= MAX_RESULT_CHARACTERS) return text;
  const left = text.length - MAX_RESULT_CHARACTERS;
  return `${text.slice(0, MAX_RESULT_CHARACTERS)}\n… (${left} more characters were left out)`;
}
