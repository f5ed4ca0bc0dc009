import type { Database, SqlValue } from "../sqlite/database.ts";
import type { Comparison } from "./run-conditions.ts";
import { type Entry, type WalkOrder, walk } from "./run-walk.ts";

/** Milliseconds fit into so many bits until after the year 3000. */
const MAX_LIFESPAN = 45;

/**
 * Runs created before an instant, the last updated first. Those that were updated before it too are the rest of the
 * order; those that were updated later may be anywhere in it, and are found by how long ago they can have been created:
 * a run whose lifespan has `n` bits was created less than `2^(n+1)` milliseconds before its last update.
 */
export async function listCreatedBefore(
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
