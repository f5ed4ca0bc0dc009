import { type Database, placeholders } from "../sqlite/database.ts";
import { countOf, idAt, positionOf } from "./segment.ts";
import { idsIn, type Part, type SegmentRow } from "./segment-rows.ts";

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
