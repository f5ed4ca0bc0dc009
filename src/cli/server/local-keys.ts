import { type Command, Option } from "commander";
import { MillraceError } from "../../errors/error.ts";
import type { KeyKind, Role } from "../../principals/principal.ts";
import { addDataOptions, type DataOptions, dataSettings } from "./data-options.ts";

export interface LocalOptions extends DataOptions {
  local?: boolean;
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
  command.addOption(
    new Option(
      "--local",
      "create the key directly in the data folder, without a server or another key",
    ).conflicts("server"),
  );
  return addDataOptions(command, "with --local: ");
}

/** A key for another server than was meant would be made otherwise. @throws MillraceError `invalid_request` */
export function refuseLocalOptions({ config, dataDir, databaseUrl }: LocalOptions): void {
  if (config === undefined && dataDir === undefined && databaseUrl === undefined) return;
  throw new MillraceError("invalid_request", "--data-dir, --database-url and --config require --local.", {
    remedy: "Add --local, or omit these options to create the key through a server.",
  });
}

/** @returns the key with its value, in the shape that the API has */
export async function createLocally(options: LocalKey): Promise<{ id: string; key: string }> {
  const { name, kind, role, factory = null, expires } = options;
  // Every other command starts without loading the database.
  const { createLocalKey } = await import("../../admin/local-keys.ts");
  const request = { name, kind, role, factories: factory, ...(expires ? { expiresAt: expires } : {}) };
  const { key, value } = await createLocalKey(request, await dataSettings(options));
  return { id: key.id, key: value };
}
