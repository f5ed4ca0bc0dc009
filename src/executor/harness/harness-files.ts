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
  return stringify({ mcp_servers: codexServers(servers) });
}

/** What is a variable of the run: `${NAME}`, as in `mcp.json`. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const LONE_VARIABLE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

export function codexServers(servers: McpServers): Record<string, object> {
  return mapServers(servers, ({ type: _, headers = {}, env = {}, command, args = [], url }) => {
    const isVariable = ([, value]: [string, string]) => LONE_VARIABLE.test(value);
    const variableOf = (value: string) => LONE_VARIABLE.exec(value)?.[1] ?? "";
    const named = (values: Record<string, string>) =>
      Object.entries(values)
        .filter(isVariable)
        .map(([key, value]) => [key, variableOf(value)] as const);
    const texts = (values: Record<string, string>) =>
      Object.fromEntries(Object.entries(values).filter((entry) => !isVariable(entry)));
    if (command === undefined)
      return {
        url,
        ...unlessEmpty("http_headers", texts(headers)),
        ...unlessEmpty("env_http_headers", Object.fromEntries(named(headers))),
      };
    const variables = named(env);
    const renamed = variables.filter(([key, name]) => key !== name && VARIABLE_NAME.test(key));
    // It passes variables on only under their own names.
    const script = `${renamed.map(([key, name]) => `${key}="$${name}" `).join("")}exec "$@"`;
    return {
      ...(renamed.length > 0
        ? { command: "sh", args: ["-c", script, "sh", command, ...args] }
        : { command, args }),
      ...unlessEmpty("env", texts(env)),
      ...(variables.length > 0 ? { env_vars: variables.map(([, name]) => name) } : {}),
    };
  });
}

const unlessEmpty = (key: string, values: Record<string, string>) =>
  Object.keys(values).length > 0 ? { [key]: values } : {};

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const mapServers = (servers: McpServers, form: (server: McpServer) => object): Record<string, object> =>
  Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, form(server)]));

/** The settings of gemini, which does not start by itself before they say what it authenticates with. */
export function geminiSettings(servers: McpServers): string {
  return JSON.stringify({
    security: { auth: { selectedType: "gemini-api-key" } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    mcpServers: geminiServers(servers),
  });
}

/** A `url` alone is one of server-sent events to it. */
export const geminiServers = (servers: McpServers): Record<string, object> =>
  mapServers(servers, ({ type: _, url, ...server }) =>
    url === undefined ? server : { ...server, httpUrl: url },
  );

/** The settings of opencode that name its MCP servers. */
export function opencodeConfig(servers: McpServers): string | undefined {
  if (Object.keys(servers).length === 0) return undefined;
  return JSON.stringify({ mcp: opencodeServers(servers) });
}

export function opencodeServers(servers: McpServers): Record<string, object> {
  const texts = (values: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, value.replaceAll(VARIABLE, "{env:$1}")]),
    );
  return mapServers(servers, ({ command, args = [], env = {}, url, headers = {} }) =>
    command === undefined
      ? { type: "remote", url, headers: texts(headers) }
      : { type: "local", command: [command, ...args], environment: texts(env) },
  );
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
