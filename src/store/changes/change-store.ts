import type { ChangeRecord, ChangeStore, ListingBacklog } from "../../changes/log.ts";
import { allDone } from "../all-done.ts";
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
    findRange: () => findRange(db),
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

async function findRange(db: Database): Promise<{ first: number; last: number }> {
  const row = await db.first<{ first: number | null; last: number | null }>(
    "SELECT (SELECT MIN(seq) FROM changes) AS first, (SELECT MAX(seq) FROM changes) AS last",
  );
  return { first: row?.first ?? 0, last: row?.last ?? 0 };
}

/** Which changes come after one, at most so many: those after `from`, up to `upTo`. What was pruned is not there to be walked over. */
export async function nextChanges(
  db: Database,
  after: number,
  limit: number,
): Promise<{ from: number; upTo: number }> {
  const { first, last } = await findRange(db);
  const from = Math.max(after, first - 1);
  return { from, upTo: Math.max(after, Math.min(last, from + limit)) };
}

export async function newestChange(db: Database): Promise<number> {
  return (await db.first<{ seq: number | null }>("SELECT MAX(seq) AS seq FROM changes"))?.seq ?? 0;
}

/** How far something is behind the changes it is made of. @param unread which of them it has not read, from FROM on */
export async function backlogOf(db: Database, unread: string): Promise<ListingBacklog> {
  const [newest, oldest] = await allDone([
    newestChange(db),
    db.first<{ at: string; seq: number }>(`SELECT at, seq ${unread} ORDER BY seq LIMIT 1`),
  ] as const);
  return oldest ? { changes: newest - oldest.seq + 1, since: oldest.at } : { changes: 0, since: null };
}

/** In a statement, the entry of a run's timeline that a change belongs to. A change that moves nothing has none of its instant. */
export const EVENT_OF_MOVE = `
  JOIN run_events ON run_events.run_id = changes.subject AND occurred_at = changes.at AND event_type = CASE changes.status
    WHEN 'QUEUED' THEN 'oz_run_created' WHEN 'INPROGRESS' THEN 'agent_started' WHEN 'BLOCKED' THEN 'oz_run_blocked'
    WHEN 'SUCCEEDED' THEN 'oz_run_done' WHEN 'FAILED' THEN 'oz_run_failed' WHEN 'ERROR' THEN 'oz_run_errored'
    WHEN 'CANCELLED' THEN 'oz_run_cancelled' END`;

/** A transaction writes this few changes for a run: those of its end and of its next turn are close together. */
const NEXT_CHANGES = 8;

/** In a statement, that no other turn follows in the same instant: then the run has not ended. */
export const ENDS_OR_BLOCKS = `NOT EXISTS (
  SELECT 1 FROM changes AS next
  WHERE next.seq > changes.seq AND next.seq <= changes.seq + ${NEXT_CHANGES} AND next.kind = 'run'
    AND next.subject = changes.subject AND next.status = 'QUEUED' AND next.at = changes.at)`;

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
