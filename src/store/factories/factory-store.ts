import type { Problem } from "../../definitions/problem.ts";
import { lookOf } from "../../id.ts";
import type { FactoryRecord, FactoryStore, RevisionRecord } from "../../reconcile/factory.ts";
import { recordChange } from "../changes/change-store.ts";
import type { Database } from "../sqlite/database.ts";
import { isAsExpected } from "../tables/secret-store.ts";
import {
  adoptUid,
  applyDefinition,
  insertRevision,
  isTakenUid,
  putCredential,
  takeOver,
} from "./apply-definition.ts";
import {
  countChange,
  FACTORY_COLUMNS,
  type FactoryRow,
  findLatestGeneration,
  hasGeneration,
  raiseGeneration,
  toFactory,
} from "./factory-row.ts";
import { isNewestTree, revisionFiles, storedDefinitions } from "./stored-definitions.ts";

const SELECT = `SELECT ${FACTORY_COLUMNS.join(", ")} FROM factories`;
const HAS_RESOURCES = "SELECT 1 FROM resources WHERE factory_uid = $1 LIMIT 1";

export function factoryStore(db: Database): FactoryStore {
  return {
    findLatestGeneration: () => findLatestGeneration(db),
    async list() {
      return (await db.all<FactoryRow>(`${SELECT} ORDER BY created_at, uid`)).map(toFactory);
    },
    async listResting() {
      return (await db.all<{ uid: string }>("SELECT uid FROM factories WHERE rests = 1")).map(
        ({ uid }) => uid,
      );
    },
    async noteServed(uids) {
      await db.run("UPDATE factories SET rests = 1 WHERE rests = 0");
      for (const uid of uids) await db.run("UPDATE factories SET rests = 0 WHERE uid = $1", [uid]);
    },
    async findBySource(sourceKey) {
      const row = await db.first<FactoryRow>(`${SELECT} WHERE source_key = $1`, [sourceKey]);
      return row && toFactory(row);
    },
    async findByName(name) {
      const row = await db.first<FactoryRow>(`${SELECT} WHERE name = $1`, [name]);
      return row && toFactory(row);
    },
    async findTakenNames(factoryUid, names) {
      const { name, alias } = await findTakenNames(db, factoryUid, names);
      return { name: name && toFactory(name), alias: alias && toFactory(alias) };
    },
    async moveSource(uid, sourceKey) {
      const sql = "UPDATE factories SET source_key = $1 WHERE uid = $2 AND source_key <> $1";
      if ((await db.run(sql, [sourceKey, uid])) > 0) await countChange(db);
    },
    async create(factory) {
      // Servers that start together on one store find no record, each of them.
      const found = await db.first<FactoryRow>(`${SELECT} WHERE source_key = $1`, [factory.sourceKey]);
      if (found) return toFactory(found);
      const named = { ...factory, name: await freeName(db, factory.name) };
      await insertFactory(db, named);
      return named;
    },
    async claim(factory) {
      const { name: taken } = await findTakenNames(db, factory.uid, { name: factory.name, alias: undefined });
      if (taken) return toFactory(taken);
      await insertFactory(db, factory);
      return undefined;
    },
    async forgetUnapplied(servedSourceKeys) {
      const rows = await db.all<FactoryRow>(`${SELECT} WHERE applied_revision IS NULL AND mode <> 'managed'`);
      for (const { uid, source_key } of rows) {
        if (servedSourceKeys.includes(source_key) || (await db.first(HAS_RESOURCES, [uid]))) continue;
        await db.run("DELETE FROM revisions WHERE factory_uid = $1", [uid]);
        await db.run("DELETE FROM factories WHERE uid = $1", [uid]);
        await countChange(db);
      }
    },
    ...storedDefinitions(db),
    ...revisionLists(db),
    ...revisionFiles(db),
    async recordUnreadable(factoryUid, problems) {
      await moveStatus(db, factoryUid, "failed", problems);
    },
    async recordSynced(factoryUid, problems) {
      await moveStatus(db, factoryUid, "synced", problems);
    },
    async recordFailure(factoryUid, attempt) {
      await db.run(
        "UPDATE factories SET status = 'failed', attempted_revision = $1, attempted_at = $2, problems = $3 WHERE uid = $4",
        [attempt.revision.id, attempt.at, JSON.stringify(attempt.problems), factoryUid],
      );
      await insertRevision(db, factoryUid, attempt, "failed");
      await announce(db, factoryUid, attempt.at);
    },
    recordRefusal: (factoryUid, attempt) => insertRevision(db, factoryUid, attempt, "failed"),
    async apply(factoryUid, application) {
      const { factoryName, takesOver, suspends, files, expects } = application;
      if (!(await hasGeneration(db, factoryUid, expects))) return "moved";
      const taken = await findTakenNames(db, factoryUid, { name: factoryName, alias: application.alias });
      if (taken.name) return "name taken";
      if (taken.alias) return "alias taken";
      // Whoever gives a factory another source wants it in force.
      if (!suspends && !takesOver && (await isSuspended(db, factoryUid))) return "suspended";
      for (const secret of application.secrets ?? []) {
        if (!(await isAsExpected(db, secret))) return "secret taken";
      }
      if (files && !(await isNewestTree(db, factoryUid, files.since))) return "files moved";
      if (takesOver && !(await takeOver(db, factoryUid, takesOver))) return "name taken";
      await applyDefinition(db, factoryUid, application);
      await announce(db, factoryUid, application.at);
      return { generation: await raiseGeneration(db, factoryUid) };
    },
    async adoptUid(factoryUid, adoption) {
      if (!(await hasGeneration(db, factoryUid, adoption.expects))) return "moved";
      if (await isTakenUid(db, factoryUid, adoption.formerUid)) return "uid taken";
      await adoptUid(db, factoryUid, adoption);
      await announce(db, factoryUid, adoption.at);
      await raiseGeneration(db, factoryUid);
      return "adopted";
    },
    async retakeCredentials(factoryUid, { credentials, expects, at }) {
      if (!(await hasGeneration(db, factoryUid, expects))) return "moved";
      for (const credential of credentials) await putCredential(db, credential, at);
      await announce(db, factoryUid, at);
      await raiseGeneration(db, factoryUid);
      return "retaken";
    },
    async suspend(factoryUid, at) {
      const sql = "UPDATE factories SET suspended_at = $1 WHERE uid = $2 AND suspended_at IS NULL";
      const moved = await db.run(sql, [at, factoryUid]);
      if (moved > 0) await announce(db, factoryUid, at);
      return moved > 0;
    },
    async resume(factoryUid, at) {
      const sql = "UPDATE factories SET suspended_at = NULL WHERE uid = $1 AND suspended_at IS NOT NULL";
      const moved = await db.run(sql, [factoryUid]);
      if (moved > 0) await announce(db, factoryUid, at);
      return moved > 0;
    },
  };
}

async function insertFactory(db: Database, factory: FactoryRecord): Promise<void> {
  const { uid, sourceKey, name, mode, source, sync, createdAt } = factory;
  await db.run(
    `INSERT INTO factories (uid, source_key, name, mode, source, status, problems, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, '[]', $7)`,
    [uid, sourceKey, name, mode, JSON.stringify(source), sync.status, createdAt],
  );
  await countChange(db);
}

/** A pass that finds everything as it was is no change. */
async function moveStatus(
  db: Database,
  factoryUid: string,
  status: "synced" | "failed",
  problems: Problem[],
): Promise<void> {
  const moved = await db.run(
    "UPDATE factories SET status = $1, problems = $2 WHERE uid = $3 AND (status <> $1 OR problems <> $2)",
    [status, JSON.stringify(problems), factoryUid],
  );
  if (moved > 0) await announce(db, factoryUid, new Date().toISOString());
}

/** Tells the status that the factory has now, which is not how its last attempt ended while it is suspended. */
async function announce(db: Database, factoryUid: string, at: string): Promise<void> {
  const row = await db.first<FactoryRow>(`${SELECT} WHERE uid = $1`, [factoryUid]);
  if (!row) return;
  await countChange(db);
  const { status } = toFactory(row).sync;
  const subject = { kind: "factory" as const, subject: factoryUid, factoryUid };
  await recordChange(db, { ...subject, webhookUid: null, status, at });
}

async function isSuspended(db: Database, factoryUid: string): Promise<boolean> {
  const sql = "SELECT uid FROM factories WHERE uid = $1 AND suspended_at IS NOT NULL";
  return (await db.first(sql, [factoryUid])) !== undefined;
}

/** Two sources may have the same last part; until a definition names the factory, a number tells them apart. */
async function freeName(db: Database, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!(await findByLook(db, name))) return name;
  }
}

interface NamedRow extends FactoryRow {
  /** JSON of what its definition in force says of the factory; nothing before the first. */
  body: string | null;
}

const COLUMNS = FACTORY_COLUMNS.map((column) => `factories.${column}`).join(", ");

/** There are few factories, and what one says of itself is read rarely. */
function listNamed(db: Database): Promise<NamedRow[]> {
  return db.all<NamedRow>(
    `SELECT ${COLUMNS}, resources.body FROM factories LEFT JOIN resources
       ON resources.factory_uid = factories.uid AND resources.kind = 'factory' AND resources.deleted_at IS NULL`,
    [],
  );
}

const aliasOf = ({ body }: NamedRow) =>
  body === null ? undefined : (JSON.parse(body) as { alias?: string }).alias;

/** The factory that is called something that looks like a name: by its name, by its alias in force, or by its uid. */
async function findByLook(db: Database, name: string): Promise<FactoryRow | undefined> {
  return (await listNamed(db)).find(looksLike(name));
}

function looksLike(name: string): (row: NamedRow) => boolean {
  const look = lookOf(name);
  return (row) =>
    [row.name, aliasOf(row), row.uid].some((each) => each !== undefined && lookOf(each) === look);
}

/**
 * The factories that have a name or an alias which another wants. People take one for the other, and for a
 * uid, so they share one space; what a factory was called before that held stays its own.
 */
async function findTakenNames(
  db: Database,
  factoryUid: string,
  { name, alias }: { name: string; alias: string | undefined },
): Promise<{ name: FactoryRow | undefined; alias: FactoryRow | undefined }> {
  const rows = await listNamed(db);
  const own = rows.find(({ uid }) => uid === factoryUid);
  const others = rows.filter(({ uid }) => uid !== factoryUid);
  const isNewName = own?.name !== name;
  const isNewAlias = alias !== undefined && !(own && aliasOf(own) === alias);
  const hasName = looksLike(name);
  const hasAlias = looksLike(alias ?? "");
  const isAliasOf = (row: NamedRow) => {
    const other = aliasOf(row);
    return alias !== undefined && other !== undefined && lookOf(other) === lookOf(alias);
  };
  return {
    name: others.find((row) => row.name === name || (isNewName && hasName(row))),
    alias: others.find((row) => isAliasOf(row) || (isNewAlias && hasAlias(row))),
  };
}

type RevisionRow = Omit<RevisionRecord, "changes" | "problems" | "principal"> & {
  changes: string;
  problems: string;
  principal: string | null;
};

const REVISION_COLUMNS = "id, revision, author, message, outcome, changes, problems, reason, principal, at";

/** The history of a factory: every attempt to bring a revision into force. */
function revisionLists(db: Database): Pick<FactoryStore, "listRevisions" | "findAttempts"> {
  return {
    async listRevisions(factoryUid, { before, limit }) {
      const rows = await db.all<RevisionRow>(
        `SELECT ${REVISION_COLUMNS} FROM revisions WHERE factory_uid = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
        [factoryUid, before ?? "~", limit],
      );
      return rows.map(toRevision);
    },
    async findAttempts(factoryUid, prefix, limit) {
      const rows = await db.all<RevisionRow>(
        `SELECT ${REVISION_COLUMNS} FROM revisions WHERE id IN (
           SELECT MAX(id) FROM revisions
           WHERE factory_uid = $1 AND revision >= $2 AND revision < $3 GROUP BY revision, outcome)
         ORDER BY id DESC LIMIT $4`,
        [factoryUid, prefix, `${prefix}~`, limit],
      );
      return rows.map(toRevision);
    },
  };
}

function toRevision(row: RevisionRow): RevisionRecord {
  return {
    ...row,
    changes: JSON.parse(row.changes),
    problems: JSON.parse(row.problems),
    principal: row.principal === null ? null : JSON.parse(row.principal),
  };
}
