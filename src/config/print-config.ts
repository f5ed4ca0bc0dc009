import type { Config } from "./config.ts";
import type { Origins } from "./load-config.ts";
import type { Setting } from "./setting.ts";
import { type SettingName, settings } from "./settings.ts";
import { formatBytes } from "./values.ts";

/** The settings in force as text, one a line with where each came from; secrets show only that they are set. */
export function printConfig(config: Config, origins: Origins): string {
  const rows = (Object.entries(settings) as [SettingName, Setting<unknown>][]).map(([name, setting]) => {
    const value = config[name];
    const shown = value !== undefined && setting.secret ? "********" : show(name, value);
    return { left: `${name}: ${shown}`, origin: origins[name] };
  });
  const width = Math.min(48, Math.max(...rows.map((row) => row.left.length)));
  const lines = rows.map((row) => `${row.left.padEnd(width)}  # ${row.origin}`);
  for (const name of ["factories", "harnesses", "forges", "secrets", "retention"] as const) {
    if (Object.keys(config[name]).length > 0) lines.push(`${name}: ${JSON.stringify(config[name])}`);
  }
  return `${lines.join("\n")}\n`;
}

const DURATIONS: ReadonlySet<SettingName> = new Set(["pollInterval", "runTimeout", "drainTimeout"]);

function show(name: SettingName, value: unknown): string {
  if (value === undefined) return "";
  if (DURATIONS.has(name)) return `${value}ms`;
  if (name === "workspaceQuota") return value === 0 ? "0" : formatBytes(Number(value));
  if (typeof value === "object" && value !== null && "port" in value && "host" in value) {
    return formatAddress(String(value.host), Number(value.port));
  }
  return Array.isArray(value) ? JSON.stringify(value) : String(value);
}

/** `host:port`, an IPv6 host between brackets. */
export function formatAddress(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
