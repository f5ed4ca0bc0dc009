import { type Database, placeholders, type SqlValue } from "./sqlite/database.ts";

/** A table, and the columns that new rows of it are given. */
export interface Table {
  name: string;
  columns: readonly string[];
  /** The column that says which delivery or run a row belongs to. */
  owner: string;
  /** The statement that inserts one row. */
  insert: string;
}

export interface NewRow {
  table: Table;
  /** In the order of the columns. */
  values: readonly SqlValue[];
}

/** @param columns their names, with commas between them */
export function tableOf(name: string, { owner, columns: text }: { owner: string; columns: string }): Table {
  const columns = text.split(",").map((column) => column.trim());
  const insert = `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${placeholders(columns.length)})`;
  return { name, columns, owner, insert };
}

export async function insertRow(db: Database, { table, values }: NewRow): Promise<void> {
  await db.run(table.insert, values);
}
