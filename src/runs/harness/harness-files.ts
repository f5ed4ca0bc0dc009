import { lstat, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { stringify } from "smol-toml";
import type { McpServer } from "../workspace/mcp-servers.ts";
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
  if (skills !== undefined && (await exists(join(workspace, SKILLS)))) {
    await makeLink(join(workspace, skills), join(workspace, SKILLS));
  }
  if (mcp?.format === "codex" && Object.keys(servers).length > 0) {
    await writeNew(join(workspace, ".codex", "config.toml"), codexConfig(servers));
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

async function makeLink(link: string, target: string): Promise<void> {
  if (await exists(link)) return;
  await mkdir(dirname(link), { recursive: true });
  await symlink(relative(dirname(link), target), link);
}

async function writeNew(path: string, text: string): Promise<void> {
  if (await exists(path)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o600, flag: "wx" });
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
