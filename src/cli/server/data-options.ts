import type { Command } from "commander";
import type { Config } from "../../config/config.ts";
import { settings } from "../../config/settings.ts";
import { readConfig } from "./serve.ts";

/** Which data folder a command works on that asks no server. */
export interface DataOptions {
  config?: string;
  dataDir?: string;
  databaseUrl?: string;
}

/** Gives a command the options that say where a server keeps its data, as `serve` has them. */
export function addDataOptions(command: Command, condition = ""): Command {
  const { dataDir, databaseUrl } = settings;
  return command
    .option(
      "--data-dir <value>",
      `${condition}${dataDir.help} (default: ${dataDir.fallback}; ${dataDir.env})`,
    )
    .option("--database-url <value>", `${condition}${databaseUrl.help}; ${databaseUrl.env}`)
    .option("--config <file>", `${condition}read settings from this millrace.yaml`);
}

/** The settings that a server with these options would have. */
export async function dataSettings({ config, dataDir, databaseUrl }: DataOptions): Promise<Config> {
  const flags = { config, dataDir, databaseUrl };
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  return (await readConfig(given)).config;
}
