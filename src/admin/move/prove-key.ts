import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { MillraceError } from "../../errors/error.ts";
import { openSealer } from "../../secrets/master-key.ts";
import type { SecretStore } from "../../secrets/secret.ts";

type KeySettings = Pick<Config, "dataDir" | "masterKey" | "masterKeyFile">;

/** Servers that share a database never replace its key, so it has to be the right one even where nothing is sealed. */
const AS_SHARED = { databaseUrl: "postgres://any/any" };

/**
 * Proves that the settings have the master key of a store that is moved: with another one, no server could start on the target.
 * @throws MillraceError `service_unavailable` when they do not
 */
export async function proveKey(settings: KeySettings, secrets: SecretStore): Promise<void> {
  // No server has started on it yet.
  if (!(await secrets.findSealing())) return;
  const masterKeyFile = settings.masterKeyFile ?? keyFileInUse(settings);
  if (settings.masterKey === undefined && masterKeyFile === undefined) throw withoutKey();
  await openSealer({ ...settings, ...AS_SHARED, masterKeyFile }, { ...secrets, saveSealing: async () => {} });
}

/** The key file of the data folder, if it is the one that a server with SQLite takes. */
export function keyFileInUse({ dataDir, masterKey, masterKeyFile }: KeySettings): string | undefined {
  const file = join(resolve(dataDir), "master.key");
  return masterKey === undefined && masterKeyFile === undefined && existsSync(file) ? file : undefined;
}

function withoutKey(): MillraceError {
  return new MillraceError("service_unavailable", "The master key of the store is not set.", {
    remedy:
      "Set MILLRACE_MASTER_KEY or MILLRACE_MASTER_KEY_FILE to the key that the server was started with.",
  });
}
