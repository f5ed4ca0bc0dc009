import type { Run, RunStatusMessage } from "../run.ts";
import { isPlanning } from "./plan.ts";

/** An answer with a schema, as JSON without white space: as much as an answer that is a text, since lists of runs show it. */
export const MAX_ANSWER_JSON_BYTES = 64 * 1024;
export const MAX_ANSWER_DEPTH = 64;

/** The JSON Schema that the answer of a run's turn has to fit; nothing while the run plans, since that turn answers with a plan. */
export function answerSchema(
  run: Pick<Run, "config" | "execution" | "planState">,
): Record<string, unknown> | undefined {
  return isPlanning(run) ? undefined : run.config.output_schema;
}

/** What the server has found of an answer. */
export type CheckedAnswer =
  | { json: string }
  /** What is wrong with it, a sentence each. Where that is final, another answer would not help. */
  | { problems: string[]; isFinal?: true };

/** What comes of the answer of a turn: where it is wrong, its agent hears that once. */
export type JudgedAnswer = { json: string } | { problems: string[]; repair?: string };

/** The answer of a turn so far: what its agent has said last, and what of it was checked already. */
export interface TurnAnswer {
  text: string | null;
  json: string | null;
}

export const NO_ANSWER = "the turn has ended without an answer";

/** A fenced block of Markdown, with what it holds. */
const FENCED = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n[ \t]*\1[ \t]*$/gm;

/** The JSON that a text is, or that its only fenced block holds. */
export function jsonIn(text: string): string {
  const trimmed = text.trim();
  if (!/^[{["\d\-tfn]/.test(trimmed) || !isJson(trimmed)) {
    const blocks = [...trimmed.matchAll(FENCED)];
    const [only] = blocks;
    if (only && blocks.length === 1) return (only[2] ?? "").trim();
  }
  return trimmed;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The message to an agent whose answer does not fit: once, in a turn of its own. */
export function repairText(problems: readonly string[], schema: object): string {
  return [
    "[millrace: Your last answer was not accepted, because it does not fit the JSON Schema of this run:",
    ...problems.map((problem) => `- ${problem}`),
    "Answer again with JSON that fits the schema, and nothing else. Do not repeat the work. This is the only correction: the run fails if the next answer does not fit. The schema is:",
    `${shownSchema(schema)}]`,
  ].join("\n");
}

/** How a run ends whose answer does not fit. */
export function invalidAnswer(problems: readonly string[]): RunStatusMessage {
  return {
    message: `The answer does not fit the output schema of the run: ${problems.join("; ")}.`,
    error_code: "invalid_answer",
    retryable: false,
  };
}

/** Where the agent of a run finds the schema of its answers, in its workspace. */
export const OUTPUT_SCHEMA_FILE = "output-schema.json";
/** A longer schema is in the file alone. */
const MAX_SHOWN = 8_000;

function shownSchema(schema: object): string {
  const text = JSON.stringify(schema);
  return text.length > MAX_SHOWN ? `the file ${OUTPUT_SCHEMA_FILE}` : text;
}

/** The part of the first prompt that contains the schema. */
export function expectedAnswer(schema: object): string {
  return [
    `[millrace: The final answer of this run has to be JSON that fits this JSON Schema (also in ${OUTPUT_SCHEMA_FILE}):`,
    shownSchema(schema),
    "Make it your last message, with nothing else in it, or give it with the tool `answer` or the command `millrace agent answer`, which say what is wrong with it.]",
  ].join("\n");
}

/** The part of later prompts. */
export const STILL_EXPECTED = `[millrace: The final answer has to be JSON that fits the JSON Schema in ${OUTPUT_SCHEMA_FILE}.]`;
