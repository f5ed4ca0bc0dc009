import { allDone } from "../all-done.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { countOf, idAt, positionOf, type Segment, type TermBlock } from "./segment.ts";

/** Deliveries that came since the search exists, and those from before. */
export type Part = 0 | 1;

export interface SegmentRow {
  segment: number;
  part: Part;
  deliveries: number;
  first_id: string;
  last_id: string;
  replaced_by: number | null;
}

const COLUMNS = "segment, part, deliveries, first_id, last_id, replaced_by";

/** Segments that are searched, of one part or of both, the oldest first. */
export function readySegments(db: Database): Promise<SegmentRow[]> {
  return db.all<SegmentRow>(
    `SELECT ${COLUMNS} FROM delivery_segments WHERE state = 'ready' ORDER BY first_id, segment`,
  );
}

export async function idsIn(db: Database, segment: number): Promise<Uint8Array> {
  const row = await db.first<{ ids: Uint8Array }>("SELECT ids FROM delivery_segment_ids WHERE segment = $1", [
    segment,
  ]);
  return row?.ids ?? new Uint8Array();
}

/** Makes a segment that is searched from now on. */
export async function insertSegment(db: Database, part: Part, { ids, blocks }: Segment): Promise<void> {
  if (ids.length === 0) return;
  await insertBlocks(db, await insertRow(db, part, "ready", ids), blocks);
}

/** @returns the number of a segment without any terms */
export async function insertRow(
  db: Database,
  part: Part,
  state: "ready" | "building",
  ids: Uint8Array,
): Promise<number> {
  const row = await db.first<{ segment: number }>(
    "SELECT COALESCE(MAX(segment), 0) + 1 AS segment FROM delivery_segments",
  );
  const segment = row?.segment ?? 1;
  const count = countOf(ids);
  await db.run(
    `INSERT INTO delivery_segments (segment, part, state, deliveries, first_id, last_id)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [segment, part, state, count, idAt(ids, 0), idAt(ids, count - 1)],
  );
  await db.run("INSERT INTO delivery_segment_ids (segment, ids) VALUES ($1, $2)", [segment, ids]);
  return segment;
}

export async function insertBlocks(
  db: Database,
  segment: number,
  blocks: readonly TermBlock[],
): Promise<void> {
  await allDone(
    blocks.map(({ first, data }) =>
      db.run("INSERT INTO delivery_terms (segment, first, data) VALUES ($1, $2, $3)", [segment, first, data]),
    ),
  );
}

/** Blocks of a segment in order, from the one that has a term, or would have it, on. */
export async function* blocksFrom(
  db: Database,
  segment: number,
  term: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const start = await db.first<{ first: Uint8Array }>(
    `SELECT first FROM delivery_terms WHERE segment = $1 AND first <= $2 ORDER BY first DESC LIMIT 1`,
    [segment, term],
  );
  let from = start?.first ?? new Uint8Array();
  for (let comparison = ">="; ; comparison = ">") {
    const rows = await db.all<{ first: Uint8Array; data: Uint8Array }>(
      `SELECT first, data FROM delivery_terms WHERE segment = $1 AND first ${comparison} $2 ORDER BY first LIMIT 8`,
      [segment, from],
    );
    for (const { data } of rows) yield data;
    const last = rows.at(-1);
    if (!last) return;
    from = last.first;
  }
}

/** So many are looked at together. */
const MOST = 2_000;

/** What is to be done about deliveries that must not be found any more. */
export type GoneWork =
  | { kind: "drop"; segment: number; part: Part; gone: string[] }
  /** They are in no segment. */
  | { kind: "forget"; gone: string[] };

/**
 * From now on, these deliveries are not found; their words leave the disk when they are due. Many that leave together
 * because they are old can wait for others, whose words leave with theirs.
 */
export async function forgetWords(db: Database, ids: readonly string[], due: string): Promise<void> {
  if (ids.length === 0) return;
  await db.run(
    `INSERT INTO delivery_search_gone (delivery_id, due)
     SELECT delivery_id, $1 FROM deliveries WHERE delivery_id IN (${placeholders(ids.length, 1)})
     ON CONFLICT (delivery_id) DO UPDATE SET due = excluded.due WHERE excluded.due < delivery_search_gone.due`,
    [due, ...ids],
  );
}

/** What is due of them: a segment to make again without them, one that has nothing else, or none of both. */
export async function goneDue(
  db: Database,
  segments: readonly SegmentRow[],
  now: string,
): Promise<GoneWork | { kind: "rewrite"; segment: SegmentRow } | undefined> {
  const rows = await db.all<{ id: string }>(
    `SELECT delivery_id AS id FROM delivery_search_gone WHERE segment IS NULL AND due <= $1 ORDER BY due LIMIT $2`,
    [now, MOST],
  );
  const due = new Set(rows.map(({ id }) => id));
  if (due.size === 0) return undefined;
  for (const segment of segments) {
    if (![...due].some((id) => id >= segment.first_id && id <= segment.last_id)) continue;
    const ids = await idsIn(db, segment.segment);
    if (![...due].some((id) => has(ids, id))) continue;
    const gone = await goneWithin(db, [ids]);
    if (gone.length < segment.deliveries) return { kind: "rewrite", segment };
    return { kind: "drop", segment: segment.segment, part: segment.part, gone };
  }
  return { kind: "forget", gone: [...due] };
}

/** Which deliveries of these segments must not be found any more. */
export async function goneWithin(db: Database, segments: readonly Uint8Array[]): Promise<string[]> {
  const gone: string[] = [];
  for (const ids of segments) {
    const rows = await db.all<{ id: string }>(
      `SELECT delivery_id AS id FROM delivery_search_gone WHERE delivery_id >= $1 AND delivery_id <= $2
         AND segment IS NULL`,
      [idAt(ids, 0), idAt(ids, countOf(ids) - 1)],
    );
    gone.push(...rows.map(({ id }) => id).filter((id) => has(ids, id)));
  }
  return gone;
}

function has(ids: Uint8Array, id: string): boolean {
  const position = positionOf(ids, id);
  return position < countOf(ids) && idAt(ids, position) === id;
}
