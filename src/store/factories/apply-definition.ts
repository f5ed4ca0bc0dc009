import type { DefinitionChange } from "../../definitions/changes/plan.ts";
import type {
  Adoption,
  Application,
  Attempt,
  RevisionRecord,
  Takeover,
  WebhookCredential,
} from "../../reconcile/factory.ts";
import { recordChange } from "../changes/change-store.ts";
import type { Database } from "../sqlite/database.ts";
import { moveScopes } from "../tables/scope-rows.ts";
import { putSecret } from "../tables/secret-store.ts";
import { keepListeners } from "../triggers/trigger-listeners.ts";
import { writeHead } from "./git-object-store.ts";
import { writeFiles } from "./stored-definitions.ts";

/** Writes everything that applying a revision changes; the caller's transaction makes it whole. */
export async function applyDefinition(
  db: Database,
  factoryUid: string,
  application: Application,
): Promise<void> {
  for (const change of application.changes) await applyChange(db, factoryUid, change, application);
  const uidOf = (change: DefinitionChange) => uidAfter(change, application);
  await keepListeners(db, factoryUid, application.changes, uidOf);
  for (const secret of application.secrets ?? []) await putSecret(db, secret, application.at);
  await replaceCredentials(db, factoryUid, application);
  await db.run(
    `UPDATE factories SET name = $1, status = 'synced', problems = $2,
       attempted_revision = $3, attempted_at = $4, applied_revision = $3, applied_at = $4,
       suspended_at = CASE WHEN $5 = 1 THEN COALESCE(suspended_at, $4) END
     WHERE uid = $6`,
    [
      application.factoryName,
      JSON.stringify(application.problems),
      application.revision.id,
      application.at,
      application.suspends ? 1 : 0,
      factoryUid,
    ],
  );
  await insertRevision(db, factoryUid, application, "applied");
  if (application.history) await writeHead(db, factoryUid, application.history);
  if (application.files) await writeFiles(db, factoryUid, application.revision.id, application.files);
}

async function applyChange(
  db: Database,
  factoryUid: string,
  change: DefinitionChange,
  application: Application,
): Promise<void> {
  const { at } = application;
  if (change.action === "delete") {
    await db.run("UPDATE resources SET deleted_at = $1 WHERE factory_uid = $2 AND kind = $3 AND name = $4", [
      at,
      factoryUid,
      change.kind,
      change.name,
    ]);
    if (change.kind === "webhook") await tellOfDeletion(db, factoryUid, change.name, at);
    return;
  }
  const uid = uidAfter(change, application);
  if (uid === undefined) throw new Error(`the plan creates ${change.kind} "${change.name}" without a uid`);
  await db.run(
    `INSERT INTO resources (uid, factory_uid, kind, name, path, body, fingerprint, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     ON CONFLICT (factory_uid, kind, name) DO UPDATE SET
       path = excluded.path, body = excluded.body, fingerprint = excluded.fingerprint,
       updated_at = excluded.updated_at, deleted_at = NULL`,
    [uid, factoryUid, change.kind, change.name, change.path, change.body, change.fingerprint, at],
  );
}

function uidAfter({ uid, kind, name }: DefinitionChange, { newUids }: Application): string | undefined {
  return uid ?? newUids[`${kind}/${name}`];
}

async function tellOfDeletion(db: Database, factoryUid: string, name: string, at: string): Promise<void> {
  const webhook = await db.first<{ uid: string }>(
    "SELECT uid FROM resources WHERE factory_uid = $1 AND kind = 'webhook' AND name = $2",
    [factoryUid, name],
  );
  if (!webhook) return;
  const { uid } = webhook;
  await recordChange(db, {
    kind: "webhook",
    subject: uid,
    factoryUid,
    webhookUid: uid,
    status: "deleted",
    at,
  });
}

async function replaceCredentials(
  db: Database,
  factoryUid: string,
  { credentials, at }: Application,
): Promise<void> {
  await db.run(
    "DELETE FROM webhook_credentials WHERE webhook_uid IN (SELECT uid FROM resources WHERE factory_uid = $1)",
    [factoryUid],
  );
  for (const credential of credentials) await putCredential(db, credential, at);
}

/** Gives a webhook its credential; the caller's transaction makes it whole. */
export async function putCredential(
  db: Database,
  { webhookUid, secretName, sealed, previous }: WebhookCredential,
  at: string,
): Promise<void> {
  await db.run(
    `INSERT INTO webhook_credentials
       (webhook_uid, secret_name, sealed, taken_at, previous_sealed, previous_since, previous_until, previous_of)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (webhook_uid) DO UPDATE SET
       secret_name = excluded.secret_name, sealed = excluded.sealed, taken_at = excluded.taken_at,
       previous_sealed = excluded.previous_sealed, previous_since = excluded.previous_since,
       previous_until = excluded.previous_until, previous_of = excluded.previous_of`,
    [
      ...[webhookUid, secretName, sealed, at],
      ...(previous ? [previous.sealed, previous.since, previous.until, at] : [null, null, null, null]),
    ],
  );
}

export async function insertRevision(
  db: Database,
  factoryUid: string,
  { id, revision, problems, changes, reason, principal, at }: Attempt,
  outcome: RevisionRecord["outcome"],
): Promise<void> {
  const changed = changes.map(({ action, kind, name, fields }) => ({ action, kind, name, fields }));
  await db.run(
    `INSERT INTO revisions
       (id, factory_uid, revision, author, message, outcome, changes, problems, reason, principal, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      id,
      factoryUid,
      revision.id,
      revision.author ?? null,
      revision.message ?? null,
      outcome,
      JSON.stringify(changed),
      JSON.stringify(problems),
      reason,
      principal && JSON.stringify(principal),
      at,
    ],
  );
}

/**
 * Gives a factory another source, and lets go of the record that this source had so far, which nothing was applied to.
 * @returns whether the factory still had the source that it was found with
 */
export async function takeOver(db: Database, factoryUid: string, takeover: Takeover): Promise<boolean> {
  const { formerSourceKey, replaced } = takeover;
  const still = await db.first("SELECT uid FROM factories WHERE uid = $1 AND source_key = $2", [
    factoryUid,
    formerSourceKey,
  ]);
  if (!still) return false;
  await moveScopes(db, replaced.uid, factoryUid);
  await db.run("UPDATE revisions SET factory_uid = $1 WHERE factory_uid = $2", [factoryUid, replaced.uid]);
  await db.run("DELETE FROM factories WHERE uid = $1", [replaced.uid]);
  await db.run("UPDATE factories SET source_key = $1, mode = $2, source = $3, rests = 0 WHERE uid = $4", [
    replaced.sourceKey,
    replaced.mode,
    JSON.stringify(replaced.source),
    factoryUid,
  ]);
  return true;
}

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
