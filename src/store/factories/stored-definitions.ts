import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { FactoryStore, WebhookCredential } from "../../reconcile/factory.ts";
import type { Database } from "../sqlite/database.ts";

interface ResourceRow {
  uid: string;
  kind: StoredResource["kind"];
  name: string;
  path: string;
  body: string;
  fingerprint: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

interface CredentialRow {
  webhook_uid: string;
  secret_name: string;
  sealed: Uint8Array;
  previous_sealed: Uint8Array | null;
  previous_since: string | null;
  previous_until: string | null;
}

/** What is stored of the definitions of factories. */
export function storedDefinitions(
  db: Database,
): Pick<FactoryStore, "listResources" | "listCredentials" | "findDefinition"> {
  return {
    listResources: (factoryUid) => listResources(db, factoryUid),
    listCredentials: (factoryUid) => listCredentials(db, factoryUid),
    async findDefinition(factoryUid) {
      const sql = "SELECT generation FROM factories WHERE uid = $1";
      const found = await db.first<{ generation: number }>(sql, [factoryUid]);
      return (
        found && {
          generation: found.generation,
          resources: await listResources(db, factoryUid),
          credentials: await listCredentials(db, factoryUid),
        }
      );
    },
  };
}

async function listResources(db: Database, factoryUid: string): Promise<StoredResource[]> {
  const rows = await db.all<ResourceRow>(
    `SELECT uid, kind, name, path, body, fingerprint, created_at, updated_at, deleted_at
     FROM resources WHERE factory_uid = $1 ORDER BY kind, name`,
    [factoryUid],
  );
  return rows.map(toResource);
}

async function listCredentials(db: Database, factoryUid: string): Promise<WebhookCredential[]> {
  const rows = await db.all<CredentialRow>(
    `SELECT webhook_uid, secret_name, sealed,
       CASE WHEN previous_of = taken_at THEN previous_sealed END AS previous_sealed, previous_since, previous_until
     FROM webhook_credentials
     WHERE webhook_uid IN (SELECT uid FROM resources WHERE factory_uid = $1)`,
    [factoryUid],
  );
  return rows.map((row): WebhookCredential => {
    const { previous_sealed: sealed, previous_since: since, previous_until: until } = row;
    return {
      webhookUid: row.webhook_uid,
      secretName: row.secret_name,
      sealed: row.sealed,
      ...(sealed !== null && since !== null && until !== null ? { previous: { sealed, since, until } } : {}),
    };
  });
}

function toResource(row: ResourceRow): StoredResource {
  return {
    uid: row.uid,
    kind: row.kind,
    name: row.name,
    path: row.path,
    body: row.body,
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deleted: row.deleted_at !== null,
  };
}
