import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { EntryKind } from "../../git/revision.ts";
import type {
  FactoryStore,
  FileChanges,
  FileContent,
  RevisionFileStore,
  StoredFile,
  WebhookCredential,
} from "../../reconcile/factory.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

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

interface FileRow {
  path: string;
  mode: string;
  size: number;
  content_id: string;
  hash: Uint8Array | null;
}

interface TreeRow {
  number: number;
  revision: string;
}

const MODES: Readonly<Record<EntryKind, string>> = { file: "100644", symlink: "120000", submodule: "160000" };
const EXECUTABLE = "100755";

/** The files of applied revisions: see {@link RevisionFileStore}. */
export function revisionFiles(db: Database): RevisionFileStore {
  return {
    async findFiles(factoryUid, revision) {
      const tree = await findTree(db, factoryUid, revision);
      if (!tree) return undefined;
      const written = await db.first<{ author: string | null; message: string | null }>(
        `SELECT author, message FROM revisions WHERE factory_uid = $1 AND revision = $2 AND outcome = 'applied'
         ORDER BY id DESC LIMIT 1`,
        [factoryUid, tree.revision],
      );
      const { author, message } = written ?? {};
      return {
        number: tree.number,
        revision: { id: tree.revision, author: author ?? undefined, message: message ?? undefined },
        files: await listFiles(db, factoryUid, tree.number),
      };
    },
    async listContents(hashes) {
      if (hashes.length === 0) return [];
      return db.all<FileContent>(
        `SELECT hash, bytes FROM file_contents WHERE hash IN (${placeholders(hashes.length)})`,
        hashes,
      );
    },
    async keepFiles(factoryUid, revision, changes) {
      if (!(await isNewestTree(db, factoryUid, changes.since))) return false;
      await writeFiles(db, factoryUid, revision, changes);
      return true;
    },
  };
}

function findTree(
  db: Database,
  factoryUid: string,
  revision: string | undefined,
): Promise<TreeRow | undefined> {
  const columns = "SELECT number, revision FROM applied_trees WHERE factory_uid = $1";
  const newest = "ORDER BY number DESC LIMIT 1";
  return revision === undefined
    ? db.first<TreeRow>(`${columns} ${newest}`, [factoryUid])
    : db.first<TreeRow>(`${columns} AND revision = $2 ${newest}`, [factoryUid, revision]);
}

async function listFiles(db: Database, factoryUid: string, number: number): Promise<StoredFile[]> {
  const rows = await db.all<FileRow>(
    `SELECT path, mode, size, content_id, hash FROM revision_files
     WHERE factory_uid = $1 AND since_tree <= $2 AND (until_tree IS NULL OR until_tree > $2)`,
    [factoryUid, number],
  );
  // As sources list them, whatever order of text the database has.
  return rows.map(toFile).sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Whether this is the number of what was applied last; 0 when nothing was. */
export async function isNewestTree(db: Database, factoryUid: string, number: number): Promise<boolean> {
  return ((await findTree(db, factoryUid, undefined))?.number ?? 0) === number;
}

/** Writes the files of what comes into force; the caller's transaction makes it whole. */
export async function writeFiles(
  db: Database,
  factoryUid: string,
  revision: string,
  { since, removed, written, contents }: FileChanges,
): Promise<void> {
  const number = since + 1;
  for (const { hash, bytes } of contents) {
    const sql = "INSERT INTO file_contents (hash, bytes) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING";
    await db.run(sql, [hash, bytes]);
  }
  await db.run("INSERT INTO applied_trees (factory_uid, number, revision) VALUES ($1, $2, $3)", [
    factoryUid,
    number,
    revision,
  ]);
  const ended = since === 0 ? [] : [...removed, ...written.map(({ path }) => path)];
  for (const path of ended) {
    const sql =
      "UPDATE revision_files SET until_tree = $1 WHERE factory_uid = $2 AND path = $3 AND until_tree IS NULL";
    await db.run(sql, [number, factoryUid, path]);
  }
  for (const file of written) {
    await db.run(
      `INSERT INTO revision_files (factory_uid, path, since_tree, mode, size, content_id, hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [factoryUid, file.path, number, modeOf(file), file.size, file.id, file.hash],
    );
  }
}

const BATCH = 500;

/** Forgets the files of a factory, and the contents that no other factory has. */
export async function forgetFiles(db: Database, factoryUid: string): Promise<void> {
  const own = await db.all<{ hash: Uint8Array }>(
    `SELECT DISTINCT hash FROM revision_files WHERE factory_uid = $1 AND hash IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM revision_files elsewhere WHERE elsewhere.hash = revision_files.hash AND elsewhere.factory_uid <> $1)`,
    [factoryUid],
  );
  await db.run("DELETE FROM revision_files WHERE factory_uid = $1", [factoryUid]);
  await db.run("DELETE FROM applied_trees WHERE factory_uid = $1", [factoryUid]);
  for (let at = 0; at < own.length; at += BATCH) {
    const hashes = own.slice(at, at + BATCH).map(({ hash }) => hash);
    await db.run(`DELETE FROM file_contents WHERE hash IN (${placeholders(hashes.length)})`, hashes);
  }
}

function modeOf({ kind, executable }: StoredFile): string {
  return executable ? EXECUTABLE : MODES[kind];
}

function toFile({ path, mode, size, content_id, hash }: FileRow): StoredFile {
  const kind = mode === MODES.symlink ? "symlink" : mode === MODES.submodule ? "submodule" : "file";
  return { path, kind, size, id: content_id, ...(mode === EXECUTABLE ? { executable: true } : {}), hash };
}
