import type { Adoption } from "../reconcile/factory.ts";
import type { Database } from "./database.ts";

/**
 * Whether something else has a uid, or had it: pauses and roles go by uids alone, and deliveries outlive their factory, so
 * what gets the uid of another thing gets what is kept of that.
 */
export async function isTakenUid(db: Database, factoryUid: string, uid: string): Promise<boolean> {
  const taken = await db.first(
    `SELECT 1 FROM resources WHERE uid = $1
     UNION ALL SELECT 1 FROM factories WHERE uid = $1
     UNION ALL SELECT 1 FROM principals WHERE uid = $1
     UNION ALL SELECT 1 FROM api_keys WHERE id = $1
     UNION ALL SELECT 1 FROM identities WHERE uid = $1
     UNION ALL SELECT 1 FROM environments WHERE uid = $1
     UNION ALL SELECT 1 FROM pauses WHERE $1 IN (factory_uid, webhook_uid, automation_uid)
     UNION ALL SELECT 1 FROM deliveries WHERE webhook_uid = $1 AND factory_uid <> $2
     LIMIT 1`,
    [uid, factoryUid],
  );
  return taken !== undefined;
}

/** Moves a webhook to another uid with its credential and its log; the caller's transaction makes it whole. */
export async function adoptUid(
  db: Database,
  factoryUid: string,
  { uid, formerUid, credential, at }: Adoption,
): Promise<void> {
  // A credential refers to its webhook, which cannot change under it.
  await db.run("DELETE FROM webhook_credentials WHERE webhook_uid = $1", [uid]);
  await db.run(
    "UPDATE resources SET uid = $1, updated_at = $2 WHERE uid = $3 AND factory_uid = $4 AND kind = 'webhook'",
    [formerUid, at, uid, factoryUid],
  );
  if (credential) {
    await db.run(
      "INSERT INTO webhook_credentials (webhook_uid, secret_name, sealed, taken_at) VALUES ($1, $2, $3, $4)",
      [formerUid, credential.secretName, credential.sealed, at],
    );
  }
  await db.run("UPDATE deliveries SET webhook_uid = $1 WHERE webhook_uid = $2", [formerUid, uid]);
}
