import type { HarnessSetting, PresetName } from "../../config/harness-setting.ts";

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
