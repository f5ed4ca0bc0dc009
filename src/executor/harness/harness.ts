import type { Config } from "../../config/config.ts";
import type { HarnessSetting, KeyService, PresetName } from "../../config/harness-setting.ts";
import { commandWords } from "../../config/values.ts";
import type { Definition, Execution, Harness } from "../../definitions/definition.ts";
import { DEFAULT_NAMES } from "../../definitions/inherit.ts";
import { isThisServer } from "../../definitions/worker-host.ts";

/** A row of the table of harnesses, complete: how a program executes turns. */
export interface HarnessRow extends Omit<HarnessSetting, "preset" | "command"> {
  command: string[];
  stdin: NonNullable<HarnessSetting["stdin"]>;
  output: NonNullable<HarnessSetting["output"]>;
}

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

/** How many agents and automations a notice names. */
const NAMED = 3;

/** A factory, as far as it says how its agents and automations execute. */
interface ExecutingFactory {
  record: { name: string };
  active: { definition: Pick<Definition, "agents" | "automations"> } | undefined;
}

/**
 * What is missing for active agents and automations that this server executes and that name no harness.
 * @returns a text without a full stop; nothing where the server has an agent command, or nobody needs it
 */
export function agentNotice(
  config: Pick<Config, "agentCommand" | "harnesses" | "workers">,
  factories: readonly ExecutingFactory[],
): string | undefined {
  if (config.workers !== "local") return undefined;
  const harnesses = createHarnesses(config);
  const lacks = ({ execution: { harness, workerHost } }: { execution: Execution }) =>
    DEFAULT_NAMES.has(harness.type) && isThisServer(workerHost) && "missing" in harnesses.find(harness);
  const without = factories.flatMap(({ record: { name: factory }, active }) => {
    const { agents, automations } = active?.definition ?? { agents: [], automations: [] };
    const lacking = new Set(agents.filter(lacks).map(({ name }) => name));
    // What an automation takes from its agent is told of the agent.
    const others = automations.filter((each) => each.enabled && lacks(each) && !lacking.has(each.agent));
    return [
      ...[...lacking].map((name) => `the agent ${name} of ${factory}`),
      ...others.map(({ name }) => `the automation ${name} of ${factory}`),
    ];
  });
  if (without.length === 0) return undefined;
  const more = without.length > NAMED ? [`${without.length - NAMED} more`] : [];
  const presets = Object.keys(PRESETS).filter((name) => name !== "command");
  return (
    `No agent command is set, and no harness for ${[...without.slice(0, NAMED), ...more].join(", ")}: runs end with state FAILED. ` +
    `Set harness.type in the definition to ${presets.join(", ")} or a harness of millrace.yaml, ` +
    "or set MILLRACE_AGENT_COMMAND or --agent-command to the program that runs the agent"
  );
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

const CLAUDE = ["claude", "--print", "--output-format", "stream-json", "--verbose"];
const GEMINI = ["gemini", "--output-format", "stream-json", "--yolo", "--skip-trust"];
// Its log on standard error has the reasons that its events lack.
const OPENCODE = ["opencode", "run", "--format", "json", "--auto", "--print-logs", "--log-level", "ERROR"];
const CODEX = ["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];

/**
 * The rows that come with millrace. Their programs are let loose in the workspace: what keeps them in is the sandbox of
 * the run, not a question that no one is there to answer. `npm run test:agents` proves them with the programs
 * themselves.
 */
export const PRESETS: Readonly<Record<PresetName, HarnessSetting>> = {
  command: { stdin: "prompt", output: "text" },
  claude: {
    command: [...CLAUDE, "--dangerously-skip-permissions"],
    resume: [...CLAUDE, "--dangerously-skip-permissions", "--resume", "{session}"],
    model: ["--model", "{model}"],
    reasoningLevel: ["--effort", "{level}"],
    stdin: "prompt",
    mcp: { format: "json", arguments: ["--mcp-config", "mcp.json", "--strict-mcp-config"] },
    skills: ".claude/skills",
    output: "claude",
    environment: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      // Without it, the program refuses to work without permissions as root, which it can be in a container.
      IS_SANDBOX: "1",
      // After 5 s, its default, it would begin without the tools of slow MCP servers, or on a machine that is busy.
      MCP_CONNECT_TIMEOUT_MS: "60000",
    },
    keyVariables: ["ANTHROPIC_API_KEY"],
    keyService: {
      url: "https://api.anthropic.com",
      baseUrl: "ANTHROPIC_BASE_URL",
      // Behind another base URL, the program takes its model for one without this, and tells it of all tools at once.
      environment: { ENABLE_TOOL_SEARCH: "true" },
    },
    live: { arguments: ["--input-format", "stream-json"], messages: "claude" },
    outputSchema: { arguments: ["--json-schema", "{schema}"], only: "object" },
  },
  codex: {
    command: ["codex", "exec", ...CODEX, "-"],
    resume: ["codex", "exec", "resume", ...CODEX, "{session}", "-"],
    model: ["--model", "{model}"],
    reasoningLevel: ["-c", "model_reasoning_effort={level}"],
    stdin: "prompt",
    mcp: { format: "codex" },
    skills: ".codex/skills",
    output: "codex",
    // Versions before May 2026 take it only before `resume`.
    outputSchema: { arguments: ["--output-schema", "{file}"], after: "exec", only: "strict" },
    // The program reads the first, and the public API names the second.
    keyVariables: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    keyService: {
      url: "https://api.openai.com",
      baseUrlArguments: ["-c", 'openai_base_url="{baseUrl}/v1"'],
      otherServices: ["model_provider", "--profile"],
    },
  },
  gemini: {
    command: GEMINI,
    resume: [...GEMINI, "--resume", "{session}"],
    model: ["--model", "{model}"],
    stdin: "prompt",
    mcp: { format: "gemini" },
    skills: ".gemini/skills",
    output: "gemini",
    keyVariables: ["GEMINI_API_KEY"],
    keyService: { url: "https://generativelanguage.googleapis.com", baseUrl: "GOOGLE_GEMINI_BASE_URL" },
  },
  opencode: {
    command: OPENCODE,
    resume: [...OPENCODE, "--session", "{session}"],
    model: ["--model", "{model}"],
    reasoningLevel: ["--variant", "{level}"],
    stdin: "prompt",
    mcp: { format: "opencode" },
    skills: ".config/opencode/skills",
    output: "opencode",
    // It asks models.dev for a list before each turn, and waits for it where that cannot be reached.
    environment: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
    // The key of each provider goes by a name of its own, and none of them belongs to another: granted secrets have them.
    keyVariables: ["OPENCODE_API_KEY"],
    keyService: { url: "https://opencode.ai" },
  },
};
