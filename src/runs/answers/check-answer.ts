import { compileOutputSchema, type SchemaProblem } from "../../definitions/loading/output-schema.ts";
import { errorMessage } from "../../errors/error.ts";
import {
  type CheckedAnswer,
  jsonIn,
  MAX_ANSWER_DEPTH,
  MAX_ANSWER_JSON_BYTES,
} from "../rules/output-answer.ts";

export type ToAnswer = { schema: string } | { schema: string; text: string };
export type FromAnswer = { problem: SchemaProblem | undefined } | { checked: CheckedAnswer };

/** The schemas of so many runs are kept compiled, those that were asked for last. */
const MAX_KNOWN = 50;
const known = new Map<string, ReturnType<typeof compileOutputSchema>>();

/** Answers what is asked of the thread. */
export function answerTo(message: ToAnswer): FromAnswer {
  const compiled = compiledSchema(message.schema);
  if ("text" in message) return { checked: checkedAnswer(compiled, message.text) };
  return { problem: "problems" in compiled ? compiled.problems[0] : undefined };
}

function compiledSchema(text: string): ReturnType<typeof compileOutputSchema> {
  const compiled = known.get(text) ?? compileOutputSchema(JSON.parse(text));
  known.delete(text);
  known.set(text, compiled);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_KNOWN) break;
    known.delete(oldest);
  }
  return compiled;
}

function checkedAnswer(compiled: ReturnType<typeof compileOutputSchema>, text: string): CheckedAnswer {
  if ("problems" in compiled)
    return { problems: compiled.problems.map(({ message }) => `the schema ${message}`), isFinal: true };
  let answer: unknown;
  try {
    answer = JSON.parse(jsonIn(text));
  } catch (error) {
    return { problems: [`it is not JSON (${errorMessage(error).slice(0, 200)})`] };
  }
  if (isDeeper(answer, MAX_ANSWER_DEPTH))
    return { problems: [`it is nested more than ${MAX_ANSWER_DEPTH} levels deep`] };
  const json = JSON.stringify(answer);
  if (Buffer.byteLength(json) > MAX_ANSWER_JSON_BYTES) return { problems: [tooLong(json.length)] };
  try {
    const problems = compiled.check(answer);
    return problems.length > 0 ? { problems } : { json };
  } catch (error) {
    const why = error instanceof RangeError ? "the schema refers to itself without end" : errorMessage(error);
    return { problems: [`it cannot be checked: ${why}`], isFinal: true };
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

export function tooLong(length: number): string {
  return `it has ${length} characters; the limit is ${MAX_ANSWER_JSON_BYTES} bytes of JSON`;
}
