import type { RunStore } from "../../runs/run.ts";
import type { RunPage, RunQuery } from "../../runs/run-query.ts";
import type { Database } from "../sqlite/database.ts";
import { findTexts } from "./facets.ts";
import { filterTexts, type RunConditions, runConditions } from "./run-conditions.ts";
import { findEntries } from "./run-entries.ts";
import { type PageBounds, readPage } from "./run-page.ts";
import { searchPage } from "./run-search.ts";
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
