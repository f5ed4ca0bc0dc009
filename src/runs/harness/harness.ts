import type { Config } from "../../config/config.ts";
import { commandWords } from "../../config/values.ts";
import type { Harness } from "../../definitions/definition.ts";

/** A program that executes turns. */
export interface HarnessProgram {
  command: string[];
  /** Whether the prompt is written to its standard input. */
  promptOnStdin: boolean;
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
    Object.entries(config.harnesses).map(([name, { command, stdin }]): [string, HarnessProgram] => [
      name,
      {
        command: typeof command === "string" ? commandWords(command) : command,
        promptOnStdin: stdin !== "none",
      },
    ]),
  );
  const fallback = config.agentCommand && { command: config.agentCommand, promptOnStdin: true };
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
