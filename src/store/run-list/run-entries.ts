import type { RunQuery } from "../../runs/run-query.ts";
import type { Database, SqlValue } from "../sqlite/database.ts";
import { type Comparison, type FacetCondition, inIndex, type RunConditions } from "./run-conditions.ts";
import { listCreatedBefore } from "./run-created-before.ts";
import { type Driver, type Entry, type WalkOrder, walk } from "./run-walk.ts";

/** The next runs of a query in its order, found in the way that costs least. @param rare see {@link rarest} */
export async function findEntries(
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
