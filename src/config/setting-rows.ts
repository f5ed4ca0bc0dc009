import { formatDuration } from "../time/duration.ts";
import type { Config } from "./config.ts";
import type { Origins } from "./load-config.ts";
import type { Setting } from "./setting.ts";
import { type SettingName, settings } from "./settings.ts";
import { formatBytes } from "./values.ts";

/** One setting as people are shown it. */
export interface SettingRow {
  name: SettingName;
  /** Of a secret only that it is set; null for what is not set. */
  value: string | null;
  isDefault: boolean;
  env: string;
  flag: string | null;
  help: string;
}

const MASK = "********";

/** Every scalar setting in force, in the order of the table. */
export function settingRows(config: Config): SettingRow[] {
  return (Object.entries(settings) as [SettingName, Setting<unknown>][]).map(([name, setting]) => {
    const value = config[name];
    const { env, flag = null, help } = setting;
    const shown = value === undefined ? null : setting.secret ? MASK : formatSetting(name, value);
    return { name, value: shown, isDefault: isFallback(value, setting), env, flag, help };
  });
}

function isFallback(value: unknown, { fallback, parse }: Setting<unknown>): boolean {
  if (fallback === undefined) return value === undefined;
  return JSON.stringify(parse(fallback)) === JSON.stringify(value);
}

const DURATIONS: ReadonlySet<SettingName> = new Set([
  "pollInterval",
  "runTimeout",
  "setupTimeout",
  "sessionIdleTimeout",
  "sessionLifetime",
  "drainTimeout",
]);

const SIZES: ReadonlySet<SettingName> = new Set([
  "workspaceQuota",
  "diskTotal",
  "setupSnapshots",
  "mirrorLimit",
  "diskReserve",
]);

function formatSetting(name: SettingName, value: unknown): string {
  if (DURATIONS.has(name)) return formatDuration(Number(value));
  if (SIZES.has(name)) return value === 0 ? "0" : formatBytes(Number(value));
  if (typeof value === "object" && value !== null && "port" in value && "host" in value) {
    return formatAddress(String(value.host), Number(value.port));
  }
  if (Array.isArray(value)) return JSON.stringify(value);
  const { show = String }: Setting<unknown> = settings[name];
  return show(String(value));
}

/** `host:port`, an IPv6 host between brackets. */
export function formatAddress(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

const STRUCTURED = [
  "factories",
  "harnesses",
  "forges",
  "secrets",
  "workerEnvironment",
  "retention",
  "notifications",
  "outbound",
  "network",
  "smtp",
  "prices",
  "shares",
] as const;

/** The effective settings as text, one a line with where each came from; secrets show only that they are set. */
export function printConfig(config: Config, origins: Origins): string {
  const rows = settingRows(config).map(({ name, value }) => {
    return { left: `${name}: ${value ?? ""}`, origin: origins[name] };
  });
  const width = Math.min(48, Math.max(...rows.map((row) => row.left.length)));
  const lines = rows.map((row) => `${row.left.padEnd(width)}  # ${row.origin}`);
  for (const name of STRUCTURED) {
    if (Object.keys(config[name] ?? {}).length > 0) lines.push(`${name}: ${JSON.stringify(config[name])}`);
  }
  return `${lines.join("\n")}\n`;
}
