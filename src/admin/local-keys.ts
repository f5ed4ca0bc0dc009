import type { Config } from "../config/config.ts";
import { MillraceError } from "../errors/error.ts";
import { createKeys, type KeyRequest } from "../principals/keys.ts";
import type { ApiKey } from "../principals/principal.ts";
import type { FactoryStore } from "../reconcile/factory.ts";
import { openServerDatabase } from "./open-server-database.ts";

/** Names or uids of factories; null reaches all. */
export type LocalKeyRequest = Omit<KeyRequest, "factories"> & { factories: readonly string[] | null };

/**
 * Makes an API key in the data folder itself, for those who have lost theirs. A server that runs on it knows the key
 * at once, since it looks keys up in the database.
 * @throws MillraceError when the data folder has no database, or one of another version
 */
export async function createLocalKey(
  request: LocalKeyRequest,
  settings: Pick<Config, "dataDir" | "databaseUrl">,
): Promise<{ key: ApiKey; value: string }> {
  const database = await openServerDatabase(settings);
  try {
    return await database.transact(async ({ keys, factories: stored }) => {
      const factories = request.factories && (await uidsOf(request.factories, stored));
      return createKeys({ store: keys, now: () => new Date() }).create({ ...request, factories });
    });
  } finally {
    database.close();
  }
}

async function uidsOf(names: readonly string[], store: Pick<FactoryStore, "list">): Promise<string[]> {
  const records = await store.list();
  return names.map((name) => {
    const found = records.find((record) => record.name === name) ?? records.find(({ uid }) => uid === name);
    if (found) return found.uid;
    throw new MillraceError("resource_not_found", `The data folder contains no factory "${name}".`, {
      remedy: `Its factories: ${records.map((record) => `"${record.name}"`).join(", ") || "none"}.`,
    });
  });
}
