import type { AmbientAgentConfig } from "../run.ts";

/** A server of tools in the form in which agents read it: a program, or a URL. */
export interface McpServer {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  url?: string;
  headers?: Record<string, string>;
}

/** The content of mcp.json: the servers of a run that an agent can reach by itself. */
export function mcpFile(config: AmbientAgentConfig): { mcpServers: Record<string, McpServer> } {
  const known = serversOf(config).filter(([, server]) => !isElsewhere(server));
  return { mcpServers: Object.fromEntries(known) as Record<string, McpServer> };
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
