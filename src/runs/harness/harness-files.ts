import { symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { stringify } from "smol-toml";
import type { McpServer } from "../workspace/mcp-servers.ts";
import { inOwnFolder, isThere } from "../workspace/own-file.ts";
import type { HarnessRow } from "./harness.ts";

/** The folder of a workspace in which the skills of a run lie. */
const SKILLS = "skills";

/**
 * Puts into a workspace what a program looks for in places of its own: skills, and MCP servers where it does not take
 * those of `mcp.json`. What a repository has brought there stays.
 */
export async function writeHarnessFiles(
  { skills, mcp }: HarnessRow,
  workspace: string,
  servers: Readonly<Record<string, McpServer>>,
): Promise<void> {
  if (skills !== undefined && (await isThere(join(workspace, SKILLS)))) {
    await addFile(workspace, skills.split("/"), (path) => symlink(relative(dirname(skills), SKILLS), path));
  }
  if (mcp?.format === "codex" && Object.keys(servers).length > 0) {
    const text = codexConfig(servers);
    await addFile(workspace, [".codex", "config.toml"], (path) =>
      writeFile(path, text, { mode: 0o600, flag: "wx" }),
    );
  }
}

/** The settings of codex that name its MCP servers. */
export function codexConfig(servers: Readonly<Record<string, McpServer>>): string {
  const entries = Object.entries(servers).map(([name, { headers, ...server }]) => [
    name,
    headers === undefined ? server : { ...server, http_headers: headers },
  ]);
  return stringify({ mcp_servers: Object.fromEntries(entries) });
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
