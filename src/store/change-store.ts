import type { Change, ChangeStore } from "../api/change.ts";
import type { Database } from "./database.ts";

export function changeStore(db: Database): ChangeStore {
  return {
    listAfter: (seq, limit) =>
      db.all<Change>(
        `SELECT seq, kind, subject, factory_uid AS "factoryUid", owner_uid AS "ownerUid",
                webhook_uid AS "webhookUid", status, at
         FROM changes WHERE seq > $1 ORDER BY seq LIMIT $2`,
        [seq, limit],
      ),
    async findRange() {
      const row = await db.first<{ first: number | null; last: number | null }>(
        "SELECT (SELECT MIN(seq) FROM changes) AS first, (SELECT MAX(seq) FROM changes) AS last",
      );
      return { first: row?.first ?? 0, last: row?.last ?? 0 };
    },
    prune: (keepNewest, limit) =>
      db.run(
        `DELETE FROM changes WHERE seq IN (
           SELECT seq FROM changes WHERE seq <= (SELECT MAX(seq) FROM changes) - $1 ORDER BY seq LIMIT $2)`,
        [keepNewest, limit],
      ),
  };
}

/** Writes a change down in the transaction that makes it. */
export async function recordChange(db: Database, change: Omit<Change, "seq">): Promise<void> {
  await db.run(
    `INSERT INTO changes (kind, subject, factory_uid, owner_uid, webhook_uid, status, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      change.kind,
      change.subject,
      change.factoryUid,
      change.ownerUid,
      change.webhookUid,
      change.status,
      change.at,
    ],
  );
}
