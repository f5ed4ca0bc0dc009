/** Something that an agent's program tells of its work, in the words of no harness. All of its texts are only ever texts. */
export type HarnessEvent =
  | { type: "message" | "thinking" | "plan"; text: string }
  | { type: "tool_call"; call?: string; name: string; input: string }
  | { type: "tool_result"; call?: string; output: string; isError?: true }
  /** What the program itself says: that it tries a request again, or what has failed. */
  | { type: "notice"; text: string; isError?: true }
  /** A line that is none of the program's events. */
  | { type: "output"; text: string }
  | { type: "result"; text?: string; isError?: true; costUsd?: number; durationMs?: number; tokens?: number };

/** The text of a value that should be one: a program may write whatever it likes. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** In characters, and in levels. What is more stands in one line: indented, some kilobytes of brackets become megabytes. */
const MAX_INDENTED = 32_000;
const MAX_LEVELS = 8;

/** What a tool is called with, as people read it: a lone command, or all of its input. */
function inputText(input: unknown): string {
  if (input === null || typeof input !== "object") return textOf(input);
  const values = Object.values(input);
  const [only] = values;
  if (values.length === 1 && typeof only === "string") return only;
  const text = JSON.stringify(input);
  return text.length > MAX_INDENTED || !hasLevels(input, MAX_LEVELS) ? text : JSON.stringify(input, null, 2);
}

/** Whether nothing in a value is nested more deeply than so many levels. */
function hasLevels(value: unknown, most: number): boolean {
  if (value === null || typeof value !== "object") return true;
  return most > 0 && Object.values(value).every((inner) => hasLevels(inner, most - 1));
}

/** A call of a tool. @param call what its result names it by */
export function toolCall(name: unknown, input: unknown, call?: unknown): HarnessEvent {
  return { type: "tool_call", ...ofCall(call), name: textOf(name), input: inputText(input) };
}

/** What a tool has answered. */
export function toolResult(output: string, isError: boolean, call?: unknown): HarnessEvent {
  return { type: "tool_result", ...ofCall(call), output, ...(isError ? { isError } : {}) };
}

/** Without those that say nothing. */
export function withText(type: "message" | "thinking" | "plan" | "notice", text: unknown): HarnessEvent[] {
  const said = textOf(text);
  return said.trim() === "" ? [] : [{ type, text: said }];
}

function ofCall(call: unknown): { call?: string } {
  return typeof call === "string" && call !== "" ? { call } : {};
}

/**
 * Reads a line as an event, which programs write as a JSON object on a line of its own.
 * @returns nothing for a line that is none: a warning of a library, or half an event of a program that was ended
 */
export function parseEvent<Event extends object>(line: string): Event | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
