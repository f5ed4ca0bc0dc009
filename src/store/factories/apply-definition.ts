import type { DefinitionChange } from "../../definitions/changes/plan.ts";
import type {
  Application,
  Attempt,
  RevisionRecord,
  Takeover,
  WebhookCredential,
} from "../../reconcile/factory.ts";
import type { Database } from "../sqlite/database.ts";
import { recordChange } from "../tables/change-store.ts";
import { moveScopes } from "../tables/scope-rows.ts";
import { putSecret } from "../tables/secret-store.ts";
import { keepListeners } from "../triggers/trigger-listeners.ts";
import { writeHead } from "./git-object-store.ts";
import { writeFiles } from "./revision-files.ts";

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
