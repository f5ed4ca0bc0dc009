import { roleAllows } from "../../principals/principal.ts";
import type { LiveQuestions } from "../../runs/agents/live-questions.ts";
import type { Caller } from "../http/authorize.ts";
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
