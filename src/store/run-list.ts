import type { RunStore } from "../runs/run.ts";
import type { RunPage, RunQuery } from "../runs/run-query.ts";
import { type Database, placeholders, type SqlValue } from "./database.ts";
import { findTexts } from "./facets.ts";
import {
  type Comparison,
  type FacetCondition,
  filterTexts,
  type RunConditions,
  runConditions,
} from "./run-conditions.ts";
import { listCreatedBefore } from "./run-created-before.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "./run-row.ts";
import { type Driver, type Entry, type WalkOrder, walk } from "./run-walk.ts";
import { createSearch } from "./search-text.ts";

/** What bounds the cost of a page. */
const BOUNDS = {
  /** A facet or a tag with no more runs is looked up by itself; a larger one is met often enough on a walk. */
  rare: 5_000,
  /** A search looks at so many of the runs that fit the other filters, then the page ends. */
  searched: 5_000,
  /** A page ends early rather than hold more: prompts may have a megabyte each. */
  bytes: 8 * 1024 * 1024,
};

const SEARCH_ROUNDS = 3;

/** A page of runs. Its cost does not grow with the number of runs before it. */
export async function listRuns(db: Database, query: RunQuery, bounds = BOUNDS): ReturnType<RunStore["list"]> {
  const { filter, limit } = query;
  const conditions = runConditions(filter, await findTexts(db, filterTexts(filter)));
  if (!conditions || !(await narrowToId(db, conditions, filter.id))) return { runs: [] };
  if (filter.text === undefined)
    return readPage(db, await findEntries(db, conditions, query, limit + 1, bounds), limit, bounds);

  return searchPage(db, conditions, query, filter.text, bounds);
}

/**
 * A page of a search. Clients take a page without runs for the end of a list, so more is looked through before one is
 * answered; but not everything.
 */
async function searchPage(
  db: Database,
  conditions: RunConditions,
  query: RunQuery,
  text: string,
  bounds: typeof BOUNDS,
): Promise<RunPage> {
  let { after } = query;
  for (let round = 1; ; round += 1) {
    const position = after ? { after } : {};
    const candidates = await findEntries(db, conditions, { ...query, ...position }, bounds.searched, bounds);
    const page = await readPage(db, await search(db, candidates, text), query.limit, bounds);
    // Beyond those that were looked at there may be more.
    const last = candidates.length === bounds.searched ? candidates.at(-1) : undefined;
    if (page.next || !last) return page;
    after = [last.key, last.number];
    if (page.runs.length > 0 || round === SEARCH_ROUNDS) return { ...page, next: after };
  }
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

async function findEntries(
  db: Database,
  conditions: RunConditions,
  { sort, descending, after }: RunQuery,
  limit: number,
  bounds: typeof BOUNDS,
): Promise<Entry[]> {
  const position = after ? { after } : {};
  const only = sort === "updated_at" ? onlyCondition(conditions) : undefined;
  if (only && "values" in only) {
    return mergeValues(db, only, { column: "updated_at", descending, ...position }, limit);
  }
  if (only?.column === "created_at" && only.operator === "<" && descending) {
    return listCreatedBefore(db, only.value, { column: "updated_at", descending, ...position }, limit);
  }
  const driver = await rarest(db, conditions, bounds);
  if (sort === "agent") return findBySkill(db, conditions, { descending, ...position }, limit, driver);
  return walk(db, conditions, { column: sort, descending, ...position }, limit, driver);
}

/** The condition of a query that has no other one. */
function onlyCondition({
  facets,
  tags,
  comparisons,
}: RunConditions): FacetCondition | Comparison | undefined {
  const [only, another] = [...facets, ...comparisons];
  return another || tags.length > 0 ? undefined : only;
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

/** The facet or the tag of a query that fewest runs have, when these are few. */
async function rarest(
  db: Database,
  { facets, tags }: RunConditions,
  { rare }: typeof BOUNDS,
): Promise<Driver | undefined> {
  let driver: Driver | undefined;
  let fewest = rare + 1;
  const count = async (candidate: Driver, from: string, values: SqlValue[]) => {
    const counted = await db.first<{ runs: number }>(
      `SELECT COUNT(*) AS runs FROM (SELECT 1 FROM ${from} LIMIT $${values.length + 1}) AS some`,
      [...values, fewest],
    );
    if (!counted || counted.runs >= fewest) return;
    driver = candidate;
    fewest = counted.runs;
  };
  for (const { column, values } of facets) {
    await count({ facet: column }, `run_listing WHERE ${column} IN (${placeholders(values.length)})`, values);
  }
  for (const tag of tags) await count({ tag }, "run_tags WHERE tag = $1", [tag]);
  return driver;
}

const READ_TOGETHER = 500;

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

/** The runs of entries, at most `limit` and not too large together. */
async function readPage(
  db: Database,
  entries: readonly Entry[],
  limit: number,
  bounds: typeof BOUNDS,
): Promise<RunPage> {
  const runs: RunPage["runs"] = [];
  let bytes = 0;
  for (const [index, { key, number }] of entries.entries()) {
    const row = await db.first<RunRow>(
      `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = (SELECT run_id FROM run_listing WHERE number = $1)`,
      [number],
    );
    if (!row) continue;
    runs.push(toRun(row));
    bytes += row.prompt.length + row.config.length;
    const isFull = runs.length === limit || bytes > bounds.bytes;
    if (isFull) return index + 1 < entries.length ? { runs, next: [key, number] } : { runs };
  }
  return { runs };
}
