import type { Problem } from "../../definitions/problem.ts";
import type { FactoryRecord } from "../../reconcile/factory.ts";
import type { Database } from "../sqlite/database.ts";

export interface FactoryRow {
  uid: string;
  source_key: string;
  name: string;
  mode: FactoryRecord["mode"];
  source: string;
  status: FactoryRecord["sync"]["status"];
  attempted_revision: string | null;
  attempted_at: string | null;
  applied_revision: string | null;
  applied_at: string | null;
  problems: string;
  created_at: string;
  suspended_at: string | null;
  generation: number;
}

/** The columns that a record is made of. */
export const FACTORY_COLUMNS = [
  "uid",
  "source_key",
  "name",
  "mode",
  "source",
  "status",
  "attempted_revision",
  "attempted_at",
  "applied_revision",
  "applied_at",
  "problems",
  "created_at",
  "suspended_at",
  "generation",
] as const satisfies readonly (keyof FactoryRow)[];

export function toFactory(row: FactoryRow): FactoryRecord {
  return {
    uid: row.uid,
    sourceKey: row.source_key,
    name: row.name,
    mode: row.mode,
    source: JSON.parse(row.source),
    sync: {
      ...(row.suspended_at === null
        ? { status: row.status }
        : { status: "suspended" as const, suspendedAt: row.suspended_at }),
      attemptedRevision: row.attempted_revision,
      attemptedAt: row.attempted_at,
      appliedRevision: row.applied_revision,
      appliedAt: row.applied_at,
      problems: JSON.parse(row.problems) as Problem[],
    },
    createdAt: row.created_at,
    generation: row.generation,
  };
}

/** Counts a change of a factory, so that every server looks at it. @returns the number of the change */
export async function countChange(db: Database): Promise<number> {
  const [row] = await db.all<{ value: number }>(
    "UPDATE factory_generation SET value = value + 1 RETURNING value",
  );
  if (!row) throw new Error("the table factory_generation is empty");
  return row.value;
}

/**
 * Notes that a factory serves something else from now on: in the transaction of the change, so that what was planned or
 * matched before is refused after it.
 * @returns its generation
 */
export async function raiseGeneration(db: Database, factoryUid: string): Promise<number> {
  const generation = await countChange(db);
  await db.run("UPDATE factories SET generation = $1 WHERE uid = $2", [generation, factoryUid]);
  return generation;
}

/** Whether a factory is there and still serves what it served in a generation. */
export async function hasGeneration(db: Database, factoryUid: string, generation: number): Promise<boolean> {
  const sql = "SELECT uid FROM factories WHERE uid = $1 AND generation = $2";
  return (await db.first(sql, [factoryUid, generation])) !== undefined;
}

/** The number of the last change of any factory. */
export async function findLatestGeneration(db: Database): Promise<number> {
  return (await db.first<{ value: number }>("SELECT value FROM factory_generation"))?.value ?? 0;
}
