import type { Adoption } from "../reconcile/factory.ts";
import type { Database } from "./database.ts";

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
