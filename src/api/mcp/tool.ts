import { describeViolation } from "../../definitions/loading/explain-violation.ts";
import { schemaChecker, type Violation } from "../../definitions/loading/validate.ts";
import { MillraceError } from "../../errors/error.ts";
import { roleAllows } from "../../principals/principal.ts";
import type { LiveQuestions } from "../../runs/agents/live-questions.ts";
import type { Caller } from "../../runs/caller.ts";
import { refuseUnstorable } from "../http/validate-request.ts";
import type { CallOperation, ReadOperation } from "./call-operation.ts";

/** A JSON Schema of the arguments of a tool. */
export interface ToolInput {
  type: "object";
  additionalProperties: false;
  required?: readonly string[];
  properties: Readonly<Record<string, object>>;
}

/** What a tool answers with: words for a model, and the same as data for programs. The tools of agents have words alone. */
export interface ToolAnswer {
  text: string;
  data?: object;
}

/** Who calls a tool, and what it can do for them. */
export interface ToolContext {
  caller: Caller;
  call: CallOperation;
  read: ReadOperation;
  questions: LiveQuestions;
  /** The URL that people open the server at, for links. */
  publicUrl: string;
  /** Whether the answer has gone out, once that is known. */
  sent: Promise<boolean>;
}

/**
 * A deed that agents have as a tool of the Model Context Protocol. It calls operations of the API and adds nothing to what its
 * caller may do: the operations themselves see to that.
 */
export interface Tool {
  name: string;
  title: string;
  /** One sentence or two, which models choose by. */
  description: string;
  input: ToolInput;
  /** Other names that prompts have for its arguments, each with the name that the schema has. */
  synonyms?: Readonly<Record<string, string>>;
  /** Whether it changes nothing. */
  onlyReads?: boolean;
  /** Whether its call may stay open for long, so that its answer is a stream that is kept alive. */
  holds?: boolean;
  /** Why a caller does not have it; nothing for one who has. */
  refusal?(caller: Caller): string | undefined;
  /** @param given fits the schema */
  call(given: Record<string, unknown>, context: ToolContext): Promise<ToolAnswer>;
  /** Goes on with a call that is held, and whose connection was cut. */
  resume?(given: Record<string, unknown>, context: ToolContext): Promise<ToolAnswer>;
}

/** Makes a tool whose arguments have a type of their own. */
export function tool<Given>(
  one: Omit<Tool, "call" | "resume"> & {
    call(given: Given, context: ToolContext): Promise<ToolAnswer>;
    resume?(given: Given, context: ToolContext): Promise<ToolAnswer>;
  },
): Tool {
  const { call, resume, ...rest } = one;
  // The arguments are held against the schema before.
  return {
    ...rest,
    call: (given, context) => call(given as Given, context),
    ...(resume ? { resume: (given, context) => resume(given as Given, context) } : {}),
  };
}

/** The refusal of a tool that changes something: a key needs the role for it. The token of a run is not asked for one. */
export const forOperators = (caller: Caller): string | undefined =>
  caller.kind === "run" || roleAllows(caller.key.role, "operator")
    ? undefined
    : "It needs an API key with the role operator.";

/** The refusal of a tool that speaks for a run: an API key has none. */
export const forRuns = (caller: Caller): string | undefined =>
  caller.kind === "run"
    ? undefined
    : "It is for agents: call it with the token of a run, not with an API key.";

/** Nobody reads more of them. */
const MAX_VIOLATIONS = 10;

type Check = (value: unknown) => Violation[];
const checks = new WeakMap<Tool, Check>();
let compile: ((schema: object) => Check) | undefined;

/**
 * Holds the arguments of a call against the schema of its tool.
 * @throws MillraceError `invalid_request` that names each wrong field, and what the tool expects
 */
export function checkInput(tool: Tool, given: Record<string, unknown>): Record<string, unknown> {
  const check = checks.get(tool) ?? compileFor(tool);
  const named = withoutSynonyms(given, tool);
  refuseUnstorable(named, `The arguments of ${tool.name}`);
  const violations = check(named);
  if (violations.length === 0) return named;
  const why = violations.slice(0, MAX_VIOLATIONS).map(describeViolation).join("; ");
  throw new MillraceError("invalid_request", `The arguments of ${tool.name} are not valid: ${why}.`, {
    remedy: `Expected: ${shapeOf(tool)}.`,
  });
}

/** What is given under both its names is left as it is, so that the schema refuses the other name. */
function withoutSynonyms(given: Record<string, unknown>, { synonyms = {} }: Tool): Record<string, unknown> {
  const names = new Map(Object.entries(synonyms));
  const entries = Object.entries(given).map(([name, value]) => {
    const own = names.get(name);
    return [own === undefined || Object.hasOwn(given, own) ? name : own, value];
  });
  return Object.fromEntries(entries);
}

/** It is compiled when the tool is first called: most servers never are asked for some. */
function compileFor(tool: Tool): Check {
  compile ??= schemaChecker({});
  const check = compile(tool.input);
  checks.set(tool, check);
  return check;
}

interface Property {
  type?: string;
  enum?: readonly string[];
  items?: Property;
}

/** The arguments of a tool as a model would write them, for example `{"agent": string, "title"?: string}`. */
export function shapeOf({ input: { properties, required = [] } }: Tool): string {
  const fields = Object.entries(properties).map(([name, property]) => {
    return `"${name}"${required.includes(name) ? "" : "?"}: ${typeOf(property)}`;
  });
  return `{${fields.join(", ")}}`;
}

function typeOf({ type, enum: values, items }: Property): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  return type === "array" ? `[${typeOf(items ?? {})}]` : (type ?? "any");
}
