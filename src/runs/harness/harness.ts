import type { Config } from "../../config/config.ts";
import type { HarnessSetting, KeyService } from "../../config/harness-setting.ts";
import { commandWords } from "../../config/values.ts";
import type { Harness } from "../../definitions/definition.ts";
import { PRESETS } from "./presets.ts";

/** A row of the table of harnesses, complete: how a program executes turns. */
export interface HarnessRow extends Omit<HarnessSetting, "preset" | "command"> {
  command: string[];
  stdin: NonNullable<HarnessSetting["stdin"]>;
  output: NonNullable<HarnessSetting["output"]>;
}

/** The names under which a definition can ask for the server's default harness. */
export const DEFAULT_NAMES: ReadonlySet<string> = new Set(["oz", "command"]);

export interface Harnesses {
  /** The row for a run, or why there is none. */
  find(harness: Pick<Harness, "type">): HarnessRow | { missing: string };
  has(type: string): boolean;
}

/** The harnesses of the settings: the agent command as the default, those under `harnesses:`, and the presets. */
export function createHarnesses(config: Pick<Config, "agentCommand" | "harnesses">): Harnesses {
  const { command: _, ...presets } = PRESETS;
  const rows = new Map(
    Object.entries({ ...presets, ...config.harnesses }).map(([name, setting]) => [name, rowOf(setting)]),
  );
  const fallback = config.agentCommand && rowOf({ command: config.agentCommand });
  return {
    has: (type) => DEFAULT_NAMES.has(type) || rows.has(type),
    find({ type }) {
      const row = rows.get(type) ?? (DEFAULT_NAMES.has(type) ? fallback : undefined);
      if (row) return row;
      return {
        missing: DEFAULT_NAMES.has(type)
          ? "This server has no agent command: set MILLRACE_AGENT_COMMAND or --agent-command to the command that runs the agent."
          : `This server has no harness "${type}": add it under harnesses: in millrace.yaml, and start the server with --config millrace.yaml.`,
      };
    },
  };
}

/** Every variable under which a harness of the settings, or one that comes with millrace, looks for its key. */
export function keyVariablesOf({ harnesses }: Pick<Config, "harnesses">): string[] {
  return Object.values({ ...PRESETS, ...harnesses }).flatMap(({ keyVariables = [] }) => keyVariables);
}

function rowOf({ preset = "command", command, ...own }: HarnessSetting): HarnessRow {
  const { command: given, ...base } = PRESETS[preset];
  const words = command ?? given ?? [];
  return {
    stdin: "prompt",
    output: "text",
    ...base,
    ...own,
    ...(own.keyService ? { keyService: keyServiceOf(base.keyService, own.keyService) } : {}),
    command: typeof words === "string" ? commandWords(words) : words,
  };
}

/** What a preset says of its own service does not hold for another one. */
function keyServiceOf(preset: KeyService | undefined, own: KeyService): KeyService {
  const { environment, ...rest } = preset ?? {};
  return { ...rest, ...own };
}
