import type { Adoption } from "../../reconcile/factory.ts";
import type { Database } from "../sqlite/database.ts";
import { putCredential } from "./apply-definition.ts";

/**
 * Whether something else has a uid, or had it. Senders keep the URLs of what is deleted or has another uid now, roles go by
 * uids alone, and deliveries outlive their factory: what gets the uid of another thing gets what is kept of that, and what
 * is sent to it.
 */
export async function isTakenUid(db: Database, factoryUid: string, uid: string): Promise<boolean> {
  const taken = await db.first(
    `SELECT 1 FROM resources WHERE uid = $1
     UNION ALL SELECT 1 FROM factories WHERE uid = $1
     UNION ALL SELECT 1 FROM principals WHERE uid = $1
     UNION ALL SELECT 1 FROM api_keys WHERE id = $1
     UNION ALL SELECT 1 FROM identities WHERE uid = $1
     UNION ALL SELECT 1 FROM environments WHERE uid = $1
     UNION ALL SELECT 1 FROM workers WHERE id = $1
     UNION ALL SELECT 1 FROM deleted_webhooks WHERE uid = $1 AND factory_uid <> $2
     UNION ALL SELECT 1 FROM pauses WHERE $1 IN (factory_uid, webhook_uid, automation_uid)
     UNION ALL SELECT 1 FROM deliveries WHERE webhook_uid = $1 AND factory_uid <> $2
     LIMIT 1`,
    [uid, factoryUid],
  );
  return taken !== undefined;
}

/** Moves a webhook to another uid with its credential, its log, its pause and the runs that wait; the caller's transaction makes it whole. */
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
  if (credential) await putCredential(db, credential, at);
  // Senders may still have the URL that the webhook gives up, which its own factory alone can take back.
  await db.run(
    `INSERT INTO deleted_webhooks (uid, factory_uid, deleted_at) VALUES ($1, $2, $3)
     ON CONFLICT (uid) DO UPDATE SET deleted_at = excluded.deleted_at`,
    [uid, factoryUid, at],
  );
  const values = [formerUid, uid, factoryUid];
  await db.run("UPDATE deliveries SET webhook_uid = $1 WHERE webhook_uid = $2 AND factory_uid = $3", values);
  await db.run(
    "UPDATE pull_request_events SET webhook_uid = $1 WHERE webhook_uid = $2 AND factory_uid = $3",
    values,
  );
  await db.run(
    `INSERT INTO delivery_search_adoptions (factory_uid, webhook_uid, other_uid) VALUES ($3, $1, $2)
     ON CONFLICT DO NOTHING`,
    values,
  );
  await db.run("UPDATE pauses SET webhook_uid = $1 WHERE webhook_uid = $2 AND factory_uid = $3", values);
  // A pause holds what waits by the webhook's uid.
  await db.run(
    "UPDATE runs SET webhook_uid = $1 WHERE state = 'QUEUED' AND webhook_uid = $2 AND factory_uid = $3",
    values,
  );
}
