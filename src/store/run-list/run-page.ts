import type { RunPage } from "../../runs/run-query.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "../runs/run-row.ts";
import type { Database } from "../sqlite/database.ts";
import type { Entry } from "./run-walk.ts";

/** What bounds the cost of a page. */
export interface PageBounds {
  /** A facet or a tag with no more runs is looked up by itself. */
  rare: number;
  /** A search looks at so many of the runs that fit the other filters, some times over when it finds nothing. */
  searched: number;
  /** A page ends early rather than hold more: prompts may have a megabyte each. */
  bytes: number;
}

/** The runs of entries, at most `limit` and not too large together. */
export async function readPage(
  db: Database,
  entries: readonly Entry[],
  limit: number,
  mostBytes: number,
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
    const isFull = runs.length === limit || bytes > mostBytes;
    if (isFull) return index + 1 < entries.length ? { runs, next: [key, number] } : { runs };
  }
  return { runs };
}
