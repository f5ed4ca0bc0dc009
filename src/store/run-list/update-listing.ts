import type { ListingBacklog } from "../../runs/run-query.ts";
import { allDone } from "../all-done.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { insertListings, LISTED_COLUMNS, type ListedRow, moveListing } from "./run-listing.ts";

/** Where no run changes, the progress is written down this seldom: each time costs a sync of the disk. */
const MAX_UNRECORDED = 1_000;

const UNLISTED = `FROM changes WHERE kind = 'run' AND seq > (SELECT seq FROM listing_progress)`;

/**
 * Lists what has happened to runs since the last time, the oldest changes first. A run that has changed several times is
 * written once, as it is now. One that was deleted since is not listed.
 * @returns what is left
 */
export async function updateListing(db: Database, limit: number): Promise<ListingBacklog> {
  const [newest, changes] = await allDone([
    newestChange(db),
    db.all<{ seq: number; subject: string }>(`SELECT seq, subject ${UNLISTED} ORDER BY seq LIMIT $1`, [
      limit,
    ]),
  ] as const);
  await listRuns(db, [...new Set(changes.map(({ subject }) => subject))]);
  const last = changes.length < limit ? newest : (changes.at(-1)?.seq ?? newest);
  await recordProgress(db, last, changes.length > 0);
  return changes.length < limit ? { changes: 0, since: null } : findListingBacklog(db);
}

/** How far the list of runs is behind. */
export async function findListingBacklog(db: Database): Promise<ListingBacklog> {
  const [newest, oldest] = await newestAndOldest(db);
  return oldest ? { changes: newest - oldest.seq + 1, since: oldest.at } : { changes: 0, since: null };
}

/** Whether an update of the list has something to write: most of what is committed concerns no run. */
export async function findListingDue(db: Database): Promise<boolean> {
  const [newest, oldest] = await newestAndOldest(db);
  if (oldest) return true;
  const progress = await db.first<{ seq: number }>("SELECT seq FROM listing_progress");
  return newest - (progress?.seq ?? 0) >= MAX_UNRECORDED;
}

function newestAndOldest(db: Database) {
  return allDone([
    newestChange(db),
    db.first<{ at: string; seq: number }>(`SELECT at, seq ${UNLISTED} ORDER BY seq LIMIT 1`),
  ] as const);
}

async function newestChange(db: Database): Promise<number> {
  const row = await db.first<{ seq: number | null }>("SELECT MAX(seq) AS seq FROM changes");
  return row?.seq ?? 0;
}

async function recordProgress(db: Database, seq: number, hasListed: boolean): Promise<void> {
  const least = hasListed ? seq : seq - MAX_UNRECORDED;
  await db.run("UPDATE listing_progress SET seq = $1 WHERE seq < $2", [seq, least]);
}

/** Of artifacts that were made before their runs were listed. */
async function artifactTypes(db: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.all<{ run_id: string; artifact_type: string }>(
    `SELECT DISTINCT run_id, artifact_type FROM run_artifacts WHERE run_id IN (${placeholders(ids.length)})`,
    ids,
  );
  const types = new Map<string, string[]>();
  for (const { run_id, artifact_type } of rows)
    types.set(run_id, [...(types.get(run_id) ?? []), artifact_type]);
  return types;
}

async function listRuns(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const [rows, listed, made] = await allDone([
    db.all<ListedRow>(
      `SELECT ${LISTED_COLUMNS} FROM runs WHERE run_id IN (${placeholders(ids.length)})`,
      ids,
    ),
    db.all<{ run_id: string }>(
      `SELECT run_id FROM run_listing WHERE run_id IN (${placeholders(ids.length)})`,
      ids,
    ),
    artifactTypes(db, ids),
  ] as const);
  const isListed = new Set(listed.map(({ run_id }) => run_id));
  const byId = new Map(rows.map((row) => [row.run_id, row]));
  const found = ids.flatMap((id) => byId.get(id) ?? []);
  await insertListings(
    db,
    found
      .filter(({ run_id }) => !isListed.has(run_id))
      .map((row) => ({ row, artifactTypes: made.get(row.run_id) ?? [] })),
  );
  for (const row of found) if (isListed.has(row.run_id)) await moveListing(db, row);
}
