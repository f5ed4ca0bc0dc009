/**
 * One way to execute turns, as data: how a program is started and gone on with, what it is handed and how, and how its
 * output is read. In words, `{session}`, `{model}` and `{level}` stand for what is known then.
 */
export interface HarnessSetting {
  /** The row that this one changes: what is not given is as it is there. */
  preset?: PresetName;
  /** The program and its arguments, as a list or as one text that is split as a shell splits it. */
  command?: string | string[];
  /** What starts a later turn, with the session of the one before. Without it, each turn starts like the first. */
  resume?: string[];
  /** Arguments that every start gets as well. */
  arguments?: string[];
  /** Arguments that hand over the model, where one is chosen. */
  model?: string[];
  /** Arguments that hand over how hard the model should think, where that is said. */
  reasoningLevel?: string[];
  /** What it reads on standard input. */
  stdin?: "prompt" | "none" | "messages";
  /** How it is told of MCP servers. */
  mcp?: { format: McpFormat; arguments?: string[] };
  /** A folder in its home where it looks for skills. */
  skills?: string;
  /** How what it writes is read; text is shown as it comes. */
  output?: "text" | "claude" | "codex" | "gemini" | "opencode";
  /** Variables of its environment, beside those of every agent. */
  environment?: Record<string, string>;
  /** Variables under which it looks for its key: one that has a value gives it to the others. */
  keyVariables?: string[];
  /** The service that its key is for. The program does not get its key: a proxy puts it into requests to this service. */
  keyService?: KeyService;
  /** False: the program gets its key in its environment. */
  injectKey?: boolean;
  /** How it gets the JSON Schema that its answer has to fit. */
  outputSchema?: OutputSchemaArguments;
  /** How its session is held open for messages, when a run has an idle timeout. */
  live?: { arguments: string[]; messages: "claude" };
}

/** In words, `{file}` stands for the file with the schema, and `{schema}` for its text. */
export interface OutputSchemaArguments {
  arguments: string[];
  /** The word of the command behind which they stand; at its end where it is left out. */
  after?: string;
  /** Schemas that the program refuses are not handed over: those of no object, or all that are not strict in the sense of OpenAI. */
  only?: "object" | "strict";
}

export interface KeyService {
  url: string;
  /** The variable in which the program looks for another base URL. */
  baseUrl?: string;
  /** Arguments that tell it of another one, with `{baseUrl}` in its place. */
  baseUrlArguments?: string[];
  /** Of presets: words in the command with which it asks another service. */
  otherServices?: string[];
  /** Of presets: variables of a program that finds this very service behind a base URL. */
  environment?: Record<string, string>;
}

/** `json` is `mcp.json`; a program with another form gets a file of its own in its home. */
export type McpFormat = "json" | "codex" | "gemini" | "opencode";

export type PresetName = "command" | "claude" | "codex" | "gemini" | "opencode";
