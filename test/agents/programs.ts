import { join } from "node:path";
import type { InstalledProgram } from "../given/program-layouts.ts";

/** The folder of links to the programs, as `npm run test:agents` has installed them. */
export const PROGRAMS = process.env.AGENT_PROGRAMS ?? "";

const modules = join(PROGRAMS, "..");

/** The agents' programs, each as npm installs it, and what its `--version` answers. */
export const INSTALLED: Record<string, InstalledProgram & { version: RegExp }> = {
  claude: {
    modules,
    package: "@anthropic-ai/claude-code",
    file: "bin/claude.exe",
    name: "claude",
    version: /^\d+\.\d+\.\d+ \(Claude Code\)\n$/,
  },
  codex: {
    modules,
    package: "@openai/codex",
    file: "bin/codex.js",
    name: "codex",
    version: /codex-cli \d+\.\d+\.\d+\n$/,
  },
  gemini: {
    modules,
    package: "@google/gemini-cli",
    file: "bundle/gemini.js",
    name: "gemini",
    version: /^\d+\.\d+\.\d+\n$/,
  },
  opencode: {
    modules,
    package: "opencode-ai",
    file: "bin/opencode.exe",
    name: "opencode",
    version: /^\d+\.\d+\.\d+\n$/,
  },
};
