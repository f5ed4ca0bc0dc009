/** What the model is shown as its key. */
export const KEY = "sk-the-key-of-the-test-0123456789";

/** How a program is set up so that it asks the model of the test. */
export interface Preset {
  /** Its row of `harnesses:`, for a model at a URL. */
  settings(url: string, environment?: Record<string, string>): object;
  secret: string;
  version: string[];
  /** The model that a definition names, where it is more than the name that the API is asked for. */
  model?: string;
}

export const PRESETS: Record<string, Preset> = {
  claude: {
    settings: (url, environment = {}) => ({
      preset: "claude",
      environment: {
        ANTHROPIC_BASE_URL: url,
        IS_SANDBOX: "1",
        DISABLE_AUTOUPDATER: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        MCP_CONNECT_TIMEOUT_MS: "60000",
        // The model of the test calls tools by their names, and looks for none.
        ENABLE_TOOL_SEARCH: "false",
        ...environment,
      },
    }),
    secret: "ANTHROPIC_API_KEY",
    version: ["--version"],
  },
  codex: {
    settings: (url) => ({ preset: "codex", keyService: { url } }),
    secret: "OPENAI_API_KEY",
    version: ["--version"],
  },
  gemini: {
    settings: (url) => ({ preset: "gemini", environment: { GOOGLE_GEMINI_BASE_URL: url } }),
    secret: "GEMINI_API_KEY",
    version: ["--version"],
  },
  opencode: {
    settings: (url) => ({
      preset: "opencode",
      environment: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          provider: { anthropic: { options: { baseURL: `${url}/v1` }, models: { "the-model": {} } } },
        }),
      },
    }),
    secret: "ANTHROPIC_API_KEY",
    version: ["--version"],
    model: "anthropic/the-model",
  },
};

export function presetOf(name: string): Preset {
  const preset = PRESETS[name];
  if (!preset) throw new Error(`there is no preset ${name}`);
  return preset;
}

/** The front matter with which an agent runs by a preset. */
export function frontMatterOf(name: string): string {
  const { model = "the-model", secret } = presetOf(name);
  return `harness: { type: ${name}, model: ${model} }\nsecrets: [${secret}]`;
}
