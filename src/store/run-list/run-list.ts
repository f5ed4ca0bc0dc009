import type { RunPage, RunPosition, RunQuery } from "../../runs/run-query.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { findTexts } from "../runs/facets.ts";
import { RUN_COLUMNS, type RunRow, toRuns } from "../runs/run-row.ts";
import { createSearch } from "../search-text.ts";
import { type Database, placeholders, type SqlValue } from "../sqlite/database.ts";
import {
  type Comparison,
  type FacetCondition,
  filterTexts,
  inIndex,
  type RunConditions,
  runConditions,
} from "./run-conditions.ts";
import { findListingBacklog } from "./update-listing.ts";

const BOUNDS: PageBounds = { rare: 5_000, searched: 5_000, bytes: 8 * 1024 * 1024 };

/** A page of runs. Its cost does not grow with the number of runs before it. */
export async function listRuns(db: Database, query: RunQuery, bounds = BOUNDS): ReturnType<RunStore["list"]> {
  const { since } = await findListingBacklog(db);
  return { ...(await readList(db, query, bounds)), ...(since === null ? {} : { behindSince: since }) };
}

async function readList(db: Database, query: RunQuery, bounds: PageBounds): Promise<RunPage> {
  const { filter, limit } = query;
  const conditions = runConditions(filter, await findTexts(db, filterTexts(filter)));
  if (!conditions || !(await narrowToId(db, conditions, filter.id))) return { runs: [] };
  if (filter.idStart !== undefined) {
    const named = { ...conditions, idStart: filter.idStart };
    const page = await readPage(
      db,
      await findEntries(db, named, query, limit + 1, bounds.rare),
      limit,
      bounds.bytes,
    );
    if (page.runs.length > 0) return page;
  }
  if (filter.text !== undefined) return searchPage(db, conditions, { ...query, text: filter.text }, bounds);
  return readPage(db, await findEntries(db, conditions, query, limit + 1, bounds.rare), limit, bounds.bytes);
}

/** @returns whether there is such a run, or no id is asked for */
async function narrowToId(
  db: Database,
  { comparisons }: RunConditions,
  id: string | undefined,
): Promise<boolean> {
  if (id === undefined) return true;
  const row = await db.first<{ number: number }>("SELECT number FROM run_listing WHERE run_id = $1", [id]);
  if (row) comparisons.push({ column: "number", operator: "=", value: row.number });
  return row !== undefined;
}

/** So often a search that has found nothing looks on before it answers. */
const SEARCH_ROUNDS = 3;
const READ_TOGETHER = 500;

/**
 * A page of a search. Clients take a page without runs for the end of a list, so more is looked through before one is
 * answered; but not everything.
 */
async function searchPage(
  db: Database,
  conditions: RunConditions,
  { text, ...query }: RunQuery & { text: string },
  { rare, searched, bytes }: PageBounds,
): Promise<RunPage> {
  let { after } = query;
  for (let round = 1; ; round += 1) {
    const position = after ? { after } : {};
    const candidates = await findEntries(db, conditions, { ...query, ...position }, searched, rare);
    const page = await readPage(db, await search(db, candidates, text), query.limit, bytes);
    // Beyond those that were looked at there may be more.
    const last = candidates.length === searched ? candidates.at(-1) : undefined;
    if (page.next || !last) return page;
    after = [last.key, last.number];
    if (page.runs.length > 0 || round === SEARCH_ROUNDS) return { ...page, next: after };
  }
}

async function search(db: Database, candidates: readonly Entry[], query: string): Promise<Entry[]> {
  const fits = createSearch(query);
  const found = new Set<number>();
  for (let from = 0; from < candidates.length; from += READ_TOGETHER) {
    // One statement for every number of candidates: what is left over is filled up with a number that no run has.
    const numbers = Array.from(
      { length: READ_TOGETHER },
      (_, index) => candidates[from + index]?.number ?? 0,
    );
    const rows = await db.all<{ number: number; text: string }>(
      `SELECT number, text FROM run_search WHERE number IN (${placeholders(READ_TOGETHER)})`,
      numbers,
    );
    for (const { number, text } of rows) if (fits(text)) found.add(number);
  }
  return candidates.filter(({ number }) => found.has(number));
}

/** What bounds the cost of a page. */
interface PageBounds {
  /** A facet or a tag with no more runs is looked up by itself. */
  rare: number;
  /** A search looks at so many of the runs that fit the other filters, some times over when it finds nothing. */
  searched: number;
  /** A page ends early rather than hold more: prompts may have a megabyte each. */
  bytes: number;
}

/** Statements are compiled for so many entries; the rest of one is filled with a number that no run has. */
const PAGE_SIZES = [21, 101, 501];

/** The runs of entries, at most `limit` and not too large together, read in one statement. */
async function readPage(
  db: Database,
  entries: readonly Entry[],
  limit: number,
  maxBytes: number,
): Promise<RunPage> {
  if (entries.length === 0) return { runs: [] };
  const size = PAGE_SIZES.find((each) => each >= entries.length) ?? entries.length;
  const numbers = Array.from({ length: size }, (_, index) => entries[index]?.number ?? 0);
  // CROSS JOIN keeps SQLite at the entries: with hundreds of them, it would go through all runs to find theirs.
  const rows = await db.all<RunRow & { position: number }>(
    `WITH entries (position, number) AS (VALUES ${numbers.map((_, index) => `(${index}, CAST($${index + 2} AS BIGINT))`).join(", ")}),
     sized AS (
       SELECT position, l.run_id AS listed_id, OCTET_LENGTH(prompt) + OCTET_LENGTH(config) AS bytes
       FROM entries e CROSS JOIN run_listing l CROSS JOIN runs r WHERE l.number = e.number AND r.run_id = l.run_id),
     placed AS (SELECT position, listed_id, SUM(bytes) OVER (ORDER BY position) - bytes AS bytes_before FROM sized)
     SELECT position, ${RUN_COLUMNS} FROM placed CROSS JOIN runs WHERE run_id = listed_id
     AND bytes_before <= $1 ORDER BY position`,
    [maxBytes, ...numbers],
  );
  const shown = rows.slice(0, limit);
  const last = entries[shown.at(-1)?.position ?? entries.length];
  const runs = toRuns(shown);
  return last && entries.at(-1) !== last ? { runs, next: [last.key, last.number] } : { runs };
}

/** The next runs of a query in its order, found in the way that costs least. @param rare see {@link rarest} */
async function findEntries(
  db: Database,
  conditions: RunConditions,
  { sort, descending, after }: RunQuery,
  limit: number,
  rare: number,
): Promise<Entry[]> {
  const position = after ? { after } : {};
  const only = sort === "updated_at" ? onlyCondition(conditions) : undefined;
  if (only && "values" in only) {
    return mergeValues(db, only, { column: "updated_at", descending, ...position }, limit);
  }
  if (only?.column === "created_at" && only.operator === "<" && descending) {
    return listCreatedBefore(db, only.value, { column: "updated_at", descending, ...position }, limit);
  }
  const driver = await rarest(db, conditions, rare);
  if (sort === "agent") return findBySkill(db, conditions, { descending, ...position }, limit, driver);
  return walk(db, conditions, { column: sort, descending, ...position }, limit, driver);
}

/** The condition of a query that has no other one. */
function onlyCondition({
  facets,
  tags,
  comparisons,
  idStart,
}: RunConditions): FacetCondition | Comparison | undefined {
  const [only, another] = [...facets, ...comparisons];
  return another || tags.length > 0 || idStart !== undefined ? undefined : only;
}

/** Each value of a facet has its runs in the order of updates; the first of them all make the page. */
async function mergeValues(
  db: Database,
  { column, values }: FacetCondition,
  order: WalkOrder,
  limit: number,
): Promise<Entry[]> {
  const found: Entry[][] = [];
  for (const value of values) {
    const conditions = { facets: [{ column, values: [value] }], tags: [], comparisons: [] };
    found.push(await walk(db, conditions, order, limit, { facet: column, isInOrder: true }));
  }
  const before = (a: Entry, b: Entry) => Number(a.key) - Number(b.key) || a.number - b.number;
  return found
    .flat()
    .sort((a, b) => (order.descending ? before(b, a) : before(a, b)))
    .slice(0, limit);
}

/** Runs with a skill by its name, then those without one, the last created first. */
async function findBySkill(
  db: Database,
  conditions: RunConditions,
  { descending, after }: Pick<WalkOrder, "descending" | "after">,
  limit: number,
  driver: Driver | undefined,
): Promise<Entry[]> {
  const isPast = after?.[0] === null;
  const order: WalkOrder = { column: "skill", descending, ...(after ? { after } : {}) };
  const named = isPast ? [] : await walk(db, conditions, order, limit, driver);
  if (named.length === limit) return named;
  const unnamed = await walk(
    db,
    {
      ...conditions,
      withoutSkill: true,
      comparisons: [
        ...conditions.comparisons,
        ...(isPast ? [{ column: "number", operator: "<", value: after[1] } as const] : []),
      ],
    },
    { column: "number", descending: true },
    limit - named.length,
    driver,
  );
  return [...named, ...unnamed.map(({ number }) => ({ key: null, number }))];
}

/**
 * The facet or the tag of a query that fewest runs have, when these are at most `rare`: it is looked up by itself, while
 * a larger one is met often enough on a walk.
 */
async function rarest(
  db: Database,
  { facets, tags, idStart }: RunConditions,
  rare: number,
): Promise<Driver | undefined> {
  // Ids begin with the time of their making: those that begin alike are of one minute, or less.
  if (idStart !== undefined) return { id: true };
  let driver: Driver | undefined;
  let fewest = rare + 1;
  const count = async (candidate: Driver, from: string, values: SqlValue[]) => {
    const counted = await db.first<{ runs: number }>(
      `SELECT COUNT(*) AS runs FROM (SELECT 1 FROM ${from} LIMIT $${values.length + 1}) AS counted`,
      [...values, fewest],
    );
    if (!counted || counted.runs >= fewest) return;
    driver = candidate;
    fewest = counted.runs;
  };
  for (const facet of facets) {
    const { column, values } = facet;
    const bind = (_: number, index: number) => `$${index + 1}`;
    await count({ facet: column }, `run_listing WHERE ${inIndex(column, facet, bind)}`, values);
  }
  for (const tag of tags) await count({ tag }, "run_tags WHERE tag = $1", [tag]);
  return driver;
}

/** Milliseconds fit into so many bits until after the year 3000. */
const MAX_LIFESPAN = 45;

/**
 * Runs created before an instant, the last updated first. Those that were updated before it too are the rest of the
 * order; those that were updated later may be anywhere in it, and are found by how long ago they can have been created:
 * a run whose lifespan has `n` bits was created less than `2^(n+1)` milliseconds before its last update.
 */
async function listCreatedBefore(
  db: Database,
  instant: number,
  order: WalkOrder,
  limit: number,
): Promise<Entry[]> {
  const values: SqlValue[] = [instant, MAX_LIFESPAN, limit];
  if (order.after) values.push(...order.after);
  const later = await db.all<Entry>(
    `WITH RECURSIVE spans (lifespan, longest) AS (
       SELECT 0, CAST(2 AS BIGINT) UNION ALL SELECT lifespan + 1, longest * 2 FROM spans WHERE lifespan < $2)
     SELECT l.updated_at AS key, l.number AS number FROM spans s CROSS JOIN run_listing l
     WHERE l.lifespan = s.lifespan AND l.created_at < $1 AND l.created_at > $1 - s.longest AND l.updated_at >= $1
       ${order.after ? "AND (l.updated_at, l.number) < ($4, $5)" : ""}
     ORDER BY +l.updated_at DESC, l.number DESC LIMIT $3`,
    values,
  );
  if (later.length === limit) return later;
  const earlier: Comparison = { column: "updated_at", operator: "<", value: instant };
  const rest = { facets: [], tags: [], comparisons: [earlier] };
  return [...later, ...(await walk(db, rest, order, limit - later.length))];
}

/** A run as the listing knows it: what it is sorted by, and its number. */
interface Entry {
  key: string | number | null;
  number: number;
}

/** The order of a walk; ties are broken by the numbers of runs, which rise as runs are created. */
interface WalkOrder {
  column: "updated_at" | "created_at" | "title" | "skill" | "number";
  descending: boolean;
  after?: RunPosition;
}

/**
 * Which index a walk goes through: that of a facet, that of a tag, that of ids, or without a driver that of the order. What a driver
 * with few runs yields is sorted afterwards; one that `isInOrder` yields its runs as they are asked for.
 */
type Driver = { isInOrder?: boolean } & ({ facet: string } | { tag: number } | { id: true });

const TEXTS: ReadonlySet<string> = new Set(["title", "skill"]);
/** So many runs whose ids begin alike are looked at, the newest first. */
const MAX_NAMED = 5_000;

/** Goes through runs in order until it has found as many as are wanted. */
async function walk(
  db: Database,
  { facets, tags, comparisons, withoutSkill, idStart }: RunConditions,
  order: WalkOrder,
  limit: number,
  driver?: Driver,
): Promise<Entry[]> {
  const values: SqlValue[] = [];
  const bind = (value: SqlValue) => `$${values.push(value)}`;
  // A plus keeps a column from being looked up in an index of its own; on text, something empty does.
  const apart = (column: string) => (TEXTS.has(column) ? `l.${column} || ''` : `+l.${column}`);
  const drivesFacet = (column: string) => driver && "facet" in driver && driver.facet === column;
  const drivingTag = driver && "tag" in driver ? driver.tag : undefined;
  const direction = order.descending ? "DESC" : "ASC";

  const where = [
    ...(drivingTag === undefined ? [] : [`t.tag = ${bind(drivingTag)}`]),
    ...facets.map((facet) =>
      drivesFacet(facet.column)
        ? inIndex(`l.${facet.column}`, facet, bind)
        : `+l.${facet.column} IN (${facet.values.map(bind).join(", ")})`,
    ),
    ...(drivingTag === undefined ? [] : ["l.number = t.number"]),
    ...tags
      .filter((tag) => tag !== drivingTag)
      .map((tag) => `EXISTS (SELECT 1 FROM run_tags o WHERE o.tag = ${bind(tag)} AND o.number = l.number)`),
    ...comparisons.map(
      ({ column, operator, value }) =>
        `${column === "number" || (!driver && column === order.column) ? `l.${column}` : apart(column)} ${operator} ${bind(value)}`,
    ),
    // Digits and hyphens come before any letter that no id has.
    ...(idStart === undefined
      ? []
      : [
          `l.number IN (SELECT number FROM run_listing
             WHERE run_id >= ${bind(idStart)} AND run_id < ${bind(`${idStart}g`)}
             ORDER BY run_id DESC LIMIT ${MAX_NAMED})`,
        ]),
    ...(order.column === "skill" ? ["l.skill IS NOT NULL"] : []),
    ...(withoutSkill ? ["l.skill IS NULL"] : []),
    ...(order.after
      ? [
          `(l.${order.column}, l.number) ${order.descending ? "<" : ">"} (${order.after.map(bind).join(", ")})`,
        ]
      : []),
  ];
  return db.all<Entry>(
    `SELECT l.${order.column} AS key, l.number AS number
     FROM ${drivingTag === undefined ? "run_listing l" : "run_tags t CROSS JOIN run_listing l"}
          ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""}
     ORDER BY ${driver && !driver.isInOrder ? apart(order.column) : `l.${order.column}`} ${direction}, l.number ${direction}
     LIMIT ${bind(limit)}`,
    values,
  );
}
