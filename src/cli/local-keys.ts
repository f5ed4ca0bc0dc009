import { type Command, Option } from "commander";
import { settings } from "../config/settings.ts";
import { MillraceError } from "../error.ts";
import type { KeyKind, Role } from "../principals/principal.ts";
import { readConfig } from "./serve.ts";

export interface LocalOptions {
  local?: boolean;
  config?: string;
  dataDir?: string;
  databaseUrl?: string;
}

interface LocalKey extends LocalOptions {
  name: string;
  kind: KeyKind;
  role: Role;
  factory?: string[];
  expires?: string;
}

/** Gives a command the option to work on the data folder, and those that say which one, as `serve` has them. */
export function withLocalOptions(command: Command): Command {
  const { dataDir, databaseUrl } = settings;
  return command
    .addOption(
      new Option("--local", "make it in the data folder itself, without a server or a key").conflicts(
        "server",
      ),
    )
    .option(
      "--data-dir <value>",
      `with --local: ${dataDir.help} (default ${dataDir.fallback}; ${dataDir.env})`,
    )
    .option("--database-url <value>", `with --local: ${databaseUrl.help}; ${databaseUrl.env}`)
    .option("--config <file>", "with --local: read both from this millrace.yaml");
}

/** A key for another server than was meant would be made otherwise. @throws MillraceError `invalid_request` */
export function refuseLocalOptions({ config, dataDir, databaseUrl }: LocalOptions): void {
  if (config === undefined && dataDir === undefined && databaseUrl === undefined) return;
  throw new MillraceError(
    "invalid_request",
    "--data-dir, --database-url and --config say where --local makes the key, and --local is not given.",
    { remedy: "Add --local, or leave them out to ask a server for the key." },
  );
}

/** @returns the key with its value, in the shape that the API has */
export async function createLocally(options: LocalKey): Promise<{ id: string; key: string }> {
  const { name, kind, role, factory = null, expires } = options;
  const flags = Object.fromEntries(
    (["config", "dataDir", "databaseUrl"] as const)
      .filter((flag) => options[flag] !== undefined)
      .map((flag) => [flag, options[flag]]),
  );
  const { config } = await readConfig(flags);
  // Every other command starts without loading the database.
  const { createLocalKey } = await import("../local-keys.ts");
  const request = { name, kind, role, factories: factory, ...(expires ? { expiresAt: expires } : {}) };
  const { key, value } = await createLocalKey(request, config);
  return { id: key.id, key: value };
}
