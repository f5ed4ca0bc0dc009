import type { Config, HarnessSetting } from "../../config/config.ts";
import { commandWords } from "../../config/values.ts";
import type { Harness } from "../../definitions/definition.ts";

/** What a program reads on standard input: the prompt, nothing, or messages for as long as its session lives. */
export type HarnessInput = "prompt" | "none" | "messages";

/** A program that executes turns. */
export interface HarnessProgram {
  /** The words that start a turn. */
  command: string[];
  input: HarnessInput;
}

/** The names under which a definition can ask for the server's default harness. */
const DEFAULT_NAMES: ReadonlySet<string> = new Set(["oz", "command"]);

export interface Harnesses {
  /** The program for a run, or why there is none. */
  find(harness: Harness): HarnessProgram | { missing: string };
  has(type: string): boolean;
}

/** The harnesses of the settings: the agent command as the default, and those under `harnesses:`. */
export function createHarnesses(config: Pick<Config, "agentCommand" | "harnesses">): Harnesses {
  const named = new Map(
    Object.entries(config.harnesses).map(([name, setting]) => [name, programOf(setting)]),
  );
  const fallback: HarnessProgram | undefined = config.agentCommand && {
    command: config.agentCommand,
    input: "prompt",
  };
  return {
    has: (type) => DEFAULT_NAMES.has(type) || named.has(type),
    find({ type }) {
      const program = named.get(type) ?? (DEFAULT_NAMES.has(type) ? fallback : undefined);
      if (program) return program;
      return {
        missing: DEFAULT_NAMES.has(type)
          ? "This server has no agent command: set MILLRACE_AGENT_COMMAND or --agent-command to the program that executes runs."
          : `This server has no harness "${type}": name it under harnesses: in millrace.yaml, and start the server with --config millrace.yaml.`,
      };
    },
  };
}

function programOf({ command, stdin = "prompt" }: HarnessSetting): HarnessProgram {
  return { command: typeof command === "string" ? commandWords(command) : command, input: stdin };
}

/** A message as a session reads it that takes messages: one line of JSON. */
export function messageLine(text: string): string {
  return `${JSON.stringify({ type: "message", text })}\n`;
}
