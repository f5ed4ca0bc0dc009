import type { GitObject, GitObjectStore, ManagedHead } from "../../git/managed/managed-branch.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

const HEADS = 'SELECT number, commit_id AS "commit" FROM managed_heads WHERE factory_uid = $1';
const NEWEST_FIRST = "ORDER BY number DESC LIMIT";

export function gitObjectStore(db: Database): GitObjectStore {
  return {
    findHead: (factoryUid, commit) =>
      commit === undefined
        ? db.first<ManagedHead>(`${HEADS} ${NEWEST_FIRST} 1`, [factoryUid])
        : db.first<ManagedHead>(`${HEADS} AND commit_id = $2 ${NEWEST_FIRST} 1`, [factoryUid, commit]),
    listHeads: (factoryUid, limit) => db.all<ManagedHead>(`${HEADS} ${NEWEST_FIRST} $2`, [factoryUid, limit]),
    listObjectIds: (factoryUid, after) =>
      db.all<{ id: string; length: number }>(
        "SELECT oid AS id, LENGTH(bytes) AS length FROM git_objects WHERE factory_uid = $1 AND number > $2",
        [factoryUid, after],
      ),
    async listObjects(factoryUid, ids) {
      if (ids.length === 0) return [];
      return db.all<GitObject>(
        `SELECT oid AS id, type, size, bytes FROM git_objects
         WHERE factory_uid = $1 AND oid IN (${placeholders(ids.length, 1)})`,
        [factoryUid, ...ids],
      );
    },
    async keepObjects(factoryUid, objects) {
      await writeObjects(db, factoryUid, await nextNumber(db, factoryUid), objects);
    },
    keepHead: (factoryUid, commit) => writeHead(db, factoryUid, { commit, objects: [] }),
  };
}

/** Writes a commit that comes into force with the objects that it brings; the caller's transaction makes it whole. */
export async function writeHead(
  db: Database,
  factoryUid: string,
  { commit, objects }: { commit: string; objects: readonly GitObject[] },
): Promise<void> {
  const number = await nextNumber(db, factoryUid);
  await writeObjects(db, factoryUid, number, objects);
  await db.run("INSERT INTO managed_heads (factory_uid, number, commit_id) VALUES ($1, $2, $3)", [
    factoryUid,
    number,
    commit,
  ]);
}

async function nextNumber(db: Database, factoryUid: string): Promise<number> {
  const newest = await db.first<ManagedHead>(`${HEADS} ${NEWEST_FIRST} 1`, [factoryUid]);
  return (newest?.number ?? 0) + 1;
}

async function writeObjects(
  db: Database,
  factoryUid: string,
  number: number,
  objects: readonly GitObject[],
): Promise<void> {
  for (const { id, type, size, bytes } of objects) {
    // One of a commit that was not built upon may be missing where that commit is.
    await db.run(
      `INSERT INTO git_objects (factory_uid, oid, type, size, bytes, number) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (factory_uid, oid) DO UPDATE SET number = excluded.number`,
      [factoryUid, id, type, size, bytes, number],
    );
  }
}

/** Forgets the repository of a factory; the caller's transaction makes it whole. */
export async function forgetObjects(db: Database, factoryUid: string): Promise<void> {
  await db.run("DELETE FROM git_objects WHERE factory_uid = $1", [factoryUid]);
  await db.run("DELETE FROM managed_heads WHERE factory_uid = $1", [factoryUid]);
}
