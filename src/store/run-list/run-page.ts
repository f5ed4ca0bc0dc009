import type { RunPage } from "../../runs/run-query.ts";
import { RUN_COLUMNS, type RunRow, toRuns } from "../runs/run-row.ts";
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

/** Statements are compiled for so many entries; the rest of one is filled with a number that no run has. */
const PAGE_SIZES = [21, 101, 501];

/** The runs of entries, at most `limit` and not too large together, read in one statement. */
export async function readPage(
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
