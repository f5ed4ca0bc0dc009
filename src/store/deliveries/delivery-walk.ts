import type { Database } from "../sqlite/database.ts";
import type { DeliverySource } from "./delivery-sources.ts";

/** So many entries of an index are examined at a time: most pages are full after the first step. */
const STEPS = [500, 4_500, 15_000];

/** The ids between which a source is walked, from the newer one, exclusive, to the older one, inclusive. */
export interface Range {
  before: string;
  from: string;
}

/** What a walk has found, newest first. */
export interface Walked {
  ids: string[];
  /** Down to which id everything was seen; nothing when the source has no more. */
  seenTo: string | null;
}

/**
 * Walks a source from its newest entry until it has found enough, or has examined its share of the entries that a page
 * may cost.
 * @param sharedBy how many sources of the page share them
 */
export async function walk(
  db: Database,
  source: DeliverySource,
  range: Range,
  limit: number,
  sharedBy: number,
): Promise<Walked> {
  const steps = source.filter.length === 0 ? [undefined] : STEPS.map((step) => Math.ceil(step / sharedBy));
  const ids: string[] = [];
  let { before } = range;
  for (const step of steps) {
    const until = step === undefined ? undefined : await entryAfter(db, source, { ...range, before }, step);
    const asked = { before, from: until ?? range.from };
    ids.push(...(await fitting(db, source, asked, limit - ids.length)));
    const last = ids.at(-1);
    if (ids.length >= limit && last !== undefined) return { ids, seenTo: last };
    if (until === undefined) return { ids, seenTo: null };
    before = until;
  }
  return { ids, seenTo: before };
}

/** The id of the last of so many entries; nothing when there are fewer. */
async function entryAfter(
  db: Database,
  source: DeliverySource,
  range: Range,
  entries: number,
): Promise<string | undefined> {
  // PostgreSQL wants to know the type of every value, and learns it from where the value is used.
  const walked = source.base.includes("$") ? source : { ...source, values: [] };
  const row = await db.first<{ id: string }>(select(walked, [source.base], entries - 1), [
    ...walked.values,
    range.before,
    range.from,
    1,
  ]);
  return row?.id;
}

async function fitting(db: Database, source: DeliverySource, range: Range, limit: number): Promise<string[]> {
  const conditions = [source.base, ...source.filter];
  const rows = await db.all<{ id: string }>(select(source, conditions), [
    ...source.values,
    range.before,
    range.from,
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** A statement of a walk: the ids within a range for which the conditions hold. */
export function select(
  { id, from, values }: DeliverySource,
  conditions: readonly string[],
  offset = 0,
): string {
  const next = values.length + 1;
  const range = `${id} < $${next} AND ${id} >= $${next + 1}`;
  return `SELECT DISTINCT ${id} AS id FROM ${from} WHERE ${[...conditions, range].join(" AND ")}
    ORDER BY ${id} DESC LIMIT $${next + 2}${offset > 0 ? ` OFFSET ${offset}` : ""}`;
}
