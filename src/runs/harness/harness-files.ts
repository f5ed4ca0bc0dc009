import { symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { stringify } from "smol-toml";
import type { McpFormat } from "../../config/harness-setting.ts";
import type { McpServer } from "../workspace/mcp-servers.ts";
import { inOwnFolder, isThere } from "../workspace/own-file.ts";
import type { HarnessRow } from "./harness.ts";

/** The folder of a workspace in which the skills of a run lie. */
const SKILLS = "skills";

type McpServers = Readonly<Record<string, McpServer>>;

/** Where programs have the settings that have their MCP servers in them; those of `json` read `mcp.json`. */
export const SETTINGS_PATHS: Readonly<Record<Exclude<McpFormat, "json">, readonly string[]>> = {
  codex: [".codex", "config.toml"],
  gemini: [".gemini", "settings.json"],
  opencode: [".config", "opencode", "opencode.json"],
};

/** What writes them; nothing comes of it where the program needs none. */
const SETTINGS: Readonly<Record<keyof typeof SETTINGS_PATHS, (servers: McpServers) => string | undefined>> = {
  codex: codexConfig,
  gemini: geminiSettings,
  opencode: opencodeConfig,
};

/**
 * Puts into a workspace what a program looks for in places of its own: skills, and its settings, with the MCP servers
 * where it does not take those of `mcp.json`. What a repository has brought there stays.
 */
export async function writeHarnessFiles(
  { skills, mcp }: HarnessRow,
  workspace: string,
  servers: McpServers,
): Promise<void> {
  if (skills !== undefined && (await isThere(join(workspace, SKILLS)))) {
    await addFile(workspace, skills.split("/"), (path) => symlink(relative(dirname(skills), SKILLS), path));
  }
  const { format = "json" } = mcp ?? {};
  if (format === "json") return;
  const text = SETTINGS[format](servers);
  if (text === undefined) return;
  await addFile(workspace, SETTINGS_PATHS[format], (path) =>
    writeFile(path, text, { mode: 0o600, flag: "wx" }),
  );
}

/** The settings of codex that name its MCP servers. */
export function codexConfig(servers: McpServers): string | undefined {
  if (Object.keys(servers).length === 0) return undefined;
  const entries = Object.entries(servers).map(([name, { headers, ...server }]) => [
    name,
    headers === undefined ? server : { ...server, http_headers: headers },
  ]);
  return stringify({ mcp_servers: Object.fromEntries(entries) });
}

/** The settings of gemini, which does not start by itself before they say what it authenticates with. */
export function geminiSettings(servers: McpServers): string {
  return JSON.stringify({
    security: { auth: { selectedType: "gemini-api-key" } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    mcpServers: servers,
  });
}

/** The settings of opencode that name its MCP servers. */
export function opencodeConfig(servers: McpServers): string | undefined {
  const entries = Object.entries(servers).map(
    ([name, { command, args = [], env = {}, url, headers = {} }]) => [
      name,
      command === undefined
        ? { type: "remote", url, headers }
        : { type: "local", command: [command, ...args], environment: env },
    ],
  );
  return entries.length === 0 ? undefined : JSON.stringify({ mcp: Object.fromEntries(entries) });
}

/** Makes what lies at a path, unless there is something. */
async function addFile(
  workspace: string,
  path: readonly string[],
  make: (path: string) => Promise<void>,
): Promise<void> {
  await inOwnFolder(workspace, path.slice(0, -1), async (folder) => {
    const place = folder.at(path.at(-1) ?? "");
    if (!(await isThere(place))) await make(place);
  });
}
