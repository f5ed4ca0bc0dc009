import type { RunPosition } from "../../runs/run-query.ts";
import type { Database, SqlValue } from "../sqlite/database.ts";
import { inIndex, type RunConditions } from "./run-conditions.ts";

/** A run as the listing knows it: what it is sorted by, and its number. */
export interface Entry {
  key: string | number | null;
  number: number;
}

/** The order of a walk; ties are broken by the numbers of runs, which rise as runs are created. */
export interface WalkOrder {
  column: "updated_at" | "created_at" | "title" | "skill" | "number";
  descending: boolean;
  after?: RunPosition;
}

/**
 * Which index a walk goes through: that of a facet, that of a tag, that of ids, or without a driver that of the order. What a driver
 * with few runs yields is sorted afterwards; one that `isInOrder` yields its runs as they are asked for.
 */
export type Driver = { isInOrder?: boolean } & ({ facet: string } | { tag: number } | { id: true });

const TEXTS: ReadonlySet<string> = new Set(["title", "skill"]);
/** So many runs whose ids begin alike are looked at, the newest first. */
const MAX_NAMED = 5_000;

/** Goes through runs in order until it has found as many as are wanted. */
export async function walk(
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
