import type { AmbientAgentConfig } from "../../runs/run-config.ts";
import type { Caller } from "../http/authorize.ts";

const MASK = "********";

/**
 * The configuration of a run as a caller may see it. Headers and variables of MCP servers hold what opens them, which
 * only reading does not need: a viewer sees their names alone.
 */
export function visibleConfig(config: AmbientAgentConfig, caller: Caller): AmbientAgentConfig {
  const { mcp_servers: servers } = config;
  if (caller.kind !== "key" || caller.key.role !== "viewer" || !isObject(servers)) return config;
  const masked = Object.entries(servers).map(([name, server]) => [
    name,
    isObject(server) ? maskServer(server) : server,
  ]);
  return { ...config, mcp_servers: Object.fromEntries(masked) };
}

function maskServer(server: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values = Object.entries(server).map(([key, value]) =>
    (key === "headers" || key === "env") && isObject(value)
      ? [key, Object.fromEntries(Object.keys(value).map((name) => [name, MASK]))]
      : [key, value],
  );
  return Object.fromEntries(values);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
