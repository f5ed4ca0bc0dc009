import { OWN_SERVER } from "../../definitions/definition.ts";
import type { AmbientAgentConfig } from "../../runs/run-config.ts";

/** A server of tools in the form in which agents read it: a program, or a URL. */
export interface McpServer {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  /** As claude asks for it beside a `url`. */
  type?: "http";
  url?: string;
  headers?: Record<string, string>;
  /** Whether a turn fails without it; no program is told so. */
  required?: boolean;
  /** For how many milliseconds a program waits for the answer to a call. */
  timeout?: number;
}

/** Longer than the server holds any call of its own tools open, which is an hour at most. */
export const OWN_CALL_LIMIT_MS = 61 * 60_000;

/**
 * The content of mcp.json: the servers of a run that an agent can reach by itself.
 * @param own the server's own tools, for a turn whose agent can reach them
 */
export function mcpFile(
  config: AmbientAgentConfig,
  own?: McpServer,
): { mcpServers: Record<string, McpServer> } {
  const described = Object.entries(serversOfRun(config)).map(([name, { required: _, ...server }]) => [
    name,
    // Without a type, claude takes every server for a program.
    server.url === undefined ? server : { type: "http", ...server },
  ]);
  const servers = Object.fromEntries(described) as Record<string, McpServer>;
  return { mcpServers: own === undefined ? servers : { ...servers, [OWN_SERVER]: own } };
}

/** The servers that a run asks for and that an agent can reach by itself, as they are asked for. */
export function serversOfRun(config: AmbientAgentConfig): Record<string, McpServer> {
  return Object.fromEntries(serversOf(config).filter(([, server]) => !isElsewhere(server)));
}

/** The server's own tools, as one turn of a run reaches them. */
export function ownServer(apiUrl: string, runToken: string): McpServer {
  return {
    type: "http",
    url: ownServerUrl(apiUrl),
    headers: { Authorization: `Bearer ${runToken}` },
    timeout: OWN_CALL_LIMIT_MS,
  };
}

export function ownServerUrl(apiUrl: string): string {
  return `${apiUrl}/api/v1/mcp`;
}

/** The servers that only another service knows: `warp_id` is an id there, which says nothing here. */
export function unknownServers(config: AmbientAgentConfig): string[] {
  return serversOf(config)
    .filter(([, server]) => isElsewhere(server))
    .map(([name]) => name);
}

function serversOf({ mcp_servers }: AmbientAgentConfig): [string, object][] {
  return typeof mcp_servers === "object" && mcp_servers !== null ? Object.entries(mcp_servers) : [];
}

function isElsewhere(server: object): boolean {
  return !("command" in server) && !("url" in server);
}
