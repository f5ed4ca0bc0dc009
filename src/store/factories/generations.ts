import type { Database } from "../sqlite/database.ts";

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
