import type { ListingBacklog } from "../../changes/log.ts";
import { MAX_UNRECORDED } from "../../changes/log.ts";
import { isUuid } from "../../id.ts";
import { backlogOf, newestChange } from "../changes/change-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import type { SearchedDelivery } from "./delivery-words.ts";
import { type Segment, segmentOf } from "./segment.ts";
import { insertSegment, type Part } from "./segment-rows.ts";

/** Bodies of so many bytes are read together; at least one, however large. */
const MAX_BYTES = 1024 * 1024;

const UNSEARCHED = `FROM changes WHERE kind = 'delivery' AND seq > (SELECT seq FROM delivery_search_progress)`;
const PROGRESS = "SELECT seq FROM delivery_search_progress";

/** The words of some deliveries, as they were when they were read. */
export interface ReadBatch {
  segment: Segment;
  /** Whose words they are. */
  read: { id: string; hasPayload: boolean }[];
}

/** Deliveries that came since, to be made findable together. */
export interface NewBatch extends ReadBatch {
  /** The change after which they come. */
  after: number;
  /** The change up to which all are in it. */
  seq: number;
  /** Whether there were as many as were asked for, or as fit. */
  isFull: boolean;
}

/** Reads the words of deliveries that cannot be found yet, the oldest first. */
export async function readNew(db: Database, limit: number): Promise<NewBatch> {
  const newest = await newestChange(db);
  const after = (await db.first<{ seq: number }>(PROGRESS))?.seq ?? 0;
  const changes = await db.all<{ seq: number; subject: string }>(
    `SELECT seq, subject ${UNSEARCHED} ORDER BY seq LIMIT $1`,
    [limit],
  );
  const ids = await fitting(
    db,
    changes.map(({ subject }) => subject),
  );
  const batch = await readWords(db, ids);
  const last = changes[ids.length - 1]?.seq;
  const isFull = ids.length < changes.length || changes.length === limit;
  return { ...batch, after, seq: isFull && last !== undefined ? last : newest, isFull };
}

/**
 * Makes the deliveries of a batch findable, unless one was changed since they were read, or another server was faster.
 * @returns what is left
 */
export async function addNew(db: Database, batch: NewBatch): Promise<ListingBacklog> {
  const progress = await db.first<{ seq: number }>(PROGRESS);
  if (progress?.seq !== batch.after || !(await isAsRead(db, batch))) return findSearchBacklog(db);
  await insertSegment(db, 0, batch.segment);
  const least = batch.read.length > 0 ? batch.seq : batch.seq - MAX_UNRECORDED;
  await db.run("UPDATE delivery_search_progress SET seq = $1 WHERE seq < $2", [batch.seq, least]);
  return batch.isFull ? findSearchBacklog(db) : { changes: 0, since: null };
}

/** How far the search is behind the deliveries that come in. */
export function findSearchBacklog(db: Database): Promise<ListingBacklog> {
  return backlogOf(db, UNSEARCHED);
}

/** Reads the words of the newest deliveries from before the search existed that cannot be found yet. */
export async function readOld(db: Database, limit: number): Promise<OldBatch | undefined> {
  const before = await findOldBefore(db);
  if (before === null) return undefined;
  const rows = await db.all<{ id: string }>(
    `SELECT delivery_id AS id FROM deliveries WHERE delivery_id < $1 ORDER BY delivery_id DESC LIMIT $2`,
    [before, limit],
  );
  const ids = await fitting(
    db,
    rows.map(({ id }) => id),
  );
  return { ...(await readWords(db, ids)), before: ids.at(-1) ?? null };
}

/** Deliveries from before the search existed. */
export interface OldBatch extends ReadBatch {
  /** The oldest of them; nothing when there are none. */
  before: string | null;
}

/** Makes old deliveries findable, unless one was changed since they were read. */
export async function addOld(db: Database, batch: OldBatch): Promise<void> {
  if (!(await isAsRead(db, batch))) return;
  await insertSegment(db, 1, batch.segment);
  await db.run("UPDATE delivery_search_progress SET before = $1", [batch.before]);
}

/** The id of the oldest delivery from before the search existed that can be found; nothing when all can. */
export async function findOldBefore(db: Database): Promise<string | null> {
  const row = await db.first<{ before: string | null }>("SELECT before FROM delivery_search_progress");
  return row?.before ?? null;
}

/** Makes deliveries findable by what is left of them. */
export async function addAgain(db: Database, part: Part, ids: readonly string[]): Promise<void> {
  await insertSegment(db, part, (await readWords(db, ids)).segment);
}

/** As many of the first as fit into the memory of a batch. */
async function fitting(db: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.all<{ id: string; size: number }>(
    `SELECT delivery_id AS id, CASE WHEN payload IS NULL THEN 0 ELSE size END AS size FROM deliveries
     WHERE delivery_id IN (${placeholders(ids.length)})`,
    ids,
  );
  const sizes = new Map(rows.map(({ id, size }) => [id, size]));
  let bytes = 0;
  const end = ids.findIndex((id) => {
    bytes += sizes.get(id) ?? 0;
    return bytes > MAX_BYTES;
  });
  return end < 0 ? [...ids] : ids.slice(0, Math.max(1, end));
}

async function readWords(db: Database, ids: readonly string[]): Promise<ReadBatch> {
  if (ids.length === 0) return { segment: segmentOf([]), read: [] };
  const rows = await db.all<SearchedDelivery>(
    `SELECT delivery_id, factory_uid, webhook_uid, outcome, identity_source, identity_value, reason, event, payload,
       EXISTS (SELECT 1 FROM runs r WHERE r.delivery_id = d.delivery_id) AS started
     FROM deliveries d WHERE delivery_id IN (${placeholders(ids.length)})`,
    ids,
  );
  const read = rows.map(({ delivery_id: id, payload }) => ({ id, hasPayload: payload !== null }));
  return { segment: segmentOf(rows.filter(({ delivery_id: id }) => isUuid(id))), read };
}

/** What was deleted after it was read must not come back as words. */
async function isAsRead(db: Database, { read }: ReadBatch): Promise<boolean> {
  if (read.length === 0) return true;
  const rows = await db.all<{ id: string; has_payload: number }>(
    `SELECT delivery_id AS id, payload IS NOT NULL AS has_payload FROM deliveries
     WHERE delivery_id IN (${placeholders(read.length)})`,
    read.map(({ id }) => id),
  );
  const now = new Map(rows.map(({ id, has_payload }) => [id, has_payload === 1]));
  return read.every(({ id, hasPayload }) => now.get(id) === hasPayload);
}
