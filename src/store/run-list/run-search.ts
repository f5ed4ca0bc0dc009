import type { RunPage, RunQuery } from "../../runs/run-query.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import type { RunConditions } from "./run-conditions.ts";
import { findEntries } from "./run-entries.ts";
import { type PageBounds, readPage } from "./run-page.ts";
import type { Entry } from "./run-walk.ts";
import { createSearch } from "./search-text.ts";

/** So often a search that has found nothing looks on before it answers. */
const SEARCH_ROUNDS = 3;
const READ_TOGETHER = 500;

/**
 * A page of a search. Clients take a page without runs for the end of a list, so more is looked through before one is
 * answered; but not everything.
 */
export async function searchPage(
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
