import type { OutputSchemaArguments } from "../../config/harness-setting.ts";
import { OUTPUT_SCHEMA_FILE } from "../../runs/rules/output-answer.ts";
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
  /** The JSON Schema that the answer has to fit. */
  schema?: Readonly<Record<string, unknown>> | undefined;
}

/** The words that start a turn: the row's own, then those that hand over what is chosen for the run. */
export function turnCommand(row: HarnessRow, { run, hasMcpServers, isLive, schema }: CommandFacts): string[] {
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
  const whole = words.at(-1) === "-" ? [...words.slice(0, -1), ...options, "-"] : [...words, ...options];
  return withOutputSchema(whole, row.outputSchema, schema);
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

type Schema = Readonly<Record<string, unknown>>;

/** Adds the words that hand over the schema of the answer, where the program takes such a schema. */
function withOutputSchema(
  words: readonly string[],
  setting: OutputSchemaArguments | undefined,
  schema: Schema | undefined,
): string[] {
  if (!setting || !schema || !isTaken(schema, setting.only)) return [...words];
  const text = JSON.stringify(schema);
  const own = setting.arguments.map((word) =>
    word.replaceAll("{file}", OUTPUT_SCHEMA_FILE).replaceAll("{schema}", () => text),
  );
  const at = setting.after === undefined ? words.length : words.indexOf(setting.after) + 1;
  // A command without the word is another program.
  return at === 0 ? [...words] : [...words.slice(0, at), ...own, ...words.slice(at)];
}

function isTaken(schema: Schema, only: OutputSchemaArguments["only"]): boolean {
  if (only === undefined) return true;
  return schema.type === "object" && (only === "object" || isStrict(schema));
}

/** What strict schemas can have (OpenAI's guide to structured outputs): with others, each request to the model is refused. */
const STRICT_KEYWORDS: ReadonlySet<string> = new Set([
  ...["$schema", "title", "description", "type", "enum", "const", "anyOf", "$ref", "$defs", "definitions"],
  ...["properties", "required", "additionalProperties", "items", "minItems", "maxItems"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"],
]);

function isStrict(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const { properties, required, additionalProperties, items, anyOf, $defs, definitions, ...rest } =
    schema as Schema;
  if (!Object.keys(rest).every((key) => STRICT_KEYWORDS.has(key))) return false;
  const named = Object.keys((properties as Schema | undefined) ?? {});
  const needed = Array.isArray(required) ? required : [];
  const isObject = properties !== undefined || rest.type === "object";
  if (isObject && (additionalProperties !== false || named.some((key) => !needed.includes(key))))
    return false;
  const inner = [
    ...[properties, $defs, definitions].flatMap((group) =>
      Object.values((group as Schema | undefined) ?? {}),
    ),
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? anyOf : []),
  ];
  return inner.every(isStrict);
}
