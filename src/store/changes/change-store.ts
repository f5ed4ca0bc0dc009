import type { ChangeRecord, ChangeStore } from "../../changes/log.ts";
import { insertRow, type NewRow, tableOf } from "../new-row.ts";
import type { Database } from "../sqlite/database.ts";

/**
 * Whoever follows the log of changes has a table with one row, which says up to where it was read, and is named here: with the
 * condition under which there is somebody to follow it for. The log keeps what one of them has still to read.
 */
export const FOLLOWERS: Readonly<Record<`${string}_progress`, string | undefined>> = {
  listing_progress: undefined,
  delivery_search_progress: undefined,
  notification_progress: "is_active = 1",
  outbound_progress: "is_active = 1",
  trigger_progress: "EXISTS (SELECT 1 FROM trigger_listeners)",
};

const READ = Object.entries(FOLLOWERS)
  .map(
    ([table, condition]) => `SELECT seq FROM ${table}${condition === undefined ? "" : ` WHERE ${condition}`}`,
  )
  .join(" UNION ALL ");

export function changeStore(db: Database): ChangeStore {
  return {
    listAfter: (seq, limit) =>
      db.all<ChangeRecord>(
        `SELECT seq, kind, subject, factory_uid AS "factoryUid", webhook_uid AS "webhookUid", status, at
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
           SELECT seq FROM changes
           WHERE seq <= (SELECT MAX(seq) FROM changes) - $1 AND seq <= (SELECT MIN(seq) FROM (${READ}) AS followers)
           ORDER BY seq LIMIT $2)`,
        [keepNewest, limit],
      ),
  };
}

const CHANGES = tableOf("changes", {
  owner: "subject",
  columns: "kind, subject, factory_uid, webhook_uid, status, at",
});

export function changeRow(change: Omit<ChangeRecord, "seq">): NewRow {
  const { kind, subject, factoryUid, webhookUid, status, at } = change;
  return { table: CHANGES, values: [kind, subject, factoryUid, webhookUid, status, at] };
}

/** Writes a change down in the transaction that makes it. */
export async function recordChange(db: Database, change: Omit<ChangeRecord, "seq">): Promise<void> {
  await insertRow(db, changeRow(change));
}
