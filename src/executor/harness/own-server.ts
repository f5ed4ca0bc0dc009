import { parse, stringify } from "smol-toml";
import type { McpFormat } from "../../config/harness-setting.ts";
import { OWN_SERVER } from "../../definitions/definition.ts";
import { type McpServer, OWN_CALL_LIMIT_MS, ownServerUrl } from "../workspace/mcp-servers.ts";
import { openFileBeneath, openFolder, writeOwnFile } from "../workspace/own-file.ts";
import type { HarnessRow } from "./harness.ts";
import { codexServers, geminiServers, opencodeServers, SETTINGS_PATHS } from "./harness-files.ts";

/** More than anybody writes; an agent may have made it larger. */
const MAX_BYTES = 1024 * 1024;

type Settings = Record<string, unknown>;

/** How a program's settings name a server, and how they are written. */
interface SettingsForm {
  key: "mcp_servers" | "mcpServers" | "mcp";
  /** The token is read from the environment when the program starts: it differs from turn to turn. */
  entry(url: string): object;
  /** The servers of a run. */
  others(servers: Readonly<Record<string, McpServer>>): Record<string, object>;
  read(text: string): Settings;
  write(settings: Settings): string;
}

const toJson = (settings: Settings) => JSON.stringify(settings);

const FORMS: Readonly<Record<Exclude<McpFormat, "json">, SettingsForm>> = {
  codex: {
    key: "mcp_servers",
    others: codexServers,
    // It gives up on a call after its own limit, whatever progress is reported.
    entry: (url) => ({
      url,
      bearer_token_env_var: "MILLRACE_RUN_TOKEN",
      tool_timeout_sec: OWN_CALL_LIMIT_MS / 1_000,
      // It begins its turn without the tools of servers that are slow to answer, unless they are required.
      required: true,
      startup_timeout_sec: 60,
    }),
    read: (text) => parse(text) as Settings,
    write: (settings) => stringify(settings),
  },
  gemini: {
    key: "mcpServers",
    others: geminiServers,
    entry: (url) => ({
      httpUrl: url,
      headers: { Authorization: "Bearer $MILLRACE_RUN_TOKEN" },
      timeout: OWN_CALL_LIMIT_MS,
    }),
    read: JSON.parse,
    write: toJson,
  },
  opencode: {
    key: "mcp",
    others: opencodeServers,
    entry: (url) => ({
      type: "remote",
      url,
      headers: { Authorization: "Bearer {env:MILLRACE_RUN_TOKEN}" },
      oauth: false,
      // It begins anew with each notification of progress. Its start has the same limit.
      timeout: 60_000,
    }),
    read: JSON.parse,
    write: toJson,
  },
};

/**
 * Names the servers of a run in the settings of a program that does not read `mcp.json`, also where a repository, a setup command
 * or the turn before has left some. It is done in every turn, since the server may be reached at another address by now.
 * @param apiUrl where the server's own tools are, for programs that reach them
 * @returns why it could not be done; nothing when it was, or when the program reads `mcp.json`
 */
export async function addServers(
  { mcp }: Pick<HarnessRow, "mcp">,
  workspace: string,
  ofRun: Readonly<Record<string, McpServer>>,
  apiUrl: string | undefined,
): Promise<string | undefined> {
  if (mcp === undefined || mcp.format === "json") return undefined;
  const form = FORMS[mcp.format];
  const path = SETTINGS_PATHS[mcp.format];
  const added: Record<string, object> = {
    ...form.others(ofRun),
    ...(apiUrl === undefined ? {} : { [OWN_SERVER]: form.entry(ownServerUrl(apiUrl)) }),
  };
  const names = Object.keys(added);
  if (names.length === 0) return undefined;
  const text = await readSettings(workspace, path);
  const settings = text === undefined || text.trim() === "" ? {} : readBy(form, text);
  const servers = settings?.[form.key] ?? {};
  if (!isSettings(settings) || !isSettings(servers))
    return `${path.join("/")} could not be read, so its program starts without the tools of the MCP server ${names.join(", ")}`;
  if (names.every((name) => JSON.stringify(servers[name]) === JSON.stringify(added[name]))) return undefined;
  const changed = { ...settings, [form.key]: { ...servers, ...added } };
  await writeOwnFile(workspace, path, form.write(changed));
  return undefined;
}

function readBy(form: SettingsForm, text: string): Settings | undefined {
  try {
    return form.read(text);
  } catch {
    return undefined;
  }
}

function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is no plain file of the workspace is replaced, as everything is that lies in the way of millrace's own files. */
async function readSettings(workspace: string, path: readonly string[]): Promise<string | undefined> {
  const root = await openFolder(workspace);
  try {
    const file = await openFileBeneath(root, path).catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      const { size } = await file.stat();
      return size > MAX_BYTES ? undefined : await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } finally {
    await root.close();
  }
}
