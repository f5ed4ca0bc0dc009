import type { Config } from "./config.ts";
import type { Origins } from "./load-config.ts";
import { settingRows } from "./setting-rows.ts";

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
