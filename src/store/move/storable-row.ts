import { MillraceError } from "../../errors/error.ts";
import { storable } from "../../platform/storable-text.ts";
import type { SqlValue } from "../sqlite/database.ts";
import type { StoredColumn, StoredRow, StoredTable } from "./stored-tables.ts";

/**
 * Makes of the rows of a table what every database can store.
 * @param onReplaced hears of each text in which characters were replaced
 */
export function storableRows(
  table: Pick<StoredTable, "name" | "columns">,
  onReplaced: () => void,
): (row: StoredRow) => StoredRow {
  const { columns } = table;
  return (row) => {
    let changed: SqlValue[] | undefined;
    for (let index = 0; index < columns.length; index += 1) {
      const value = row[index] ?? null;
      const kept = value === null ? null : storableValue(value, columns[index] as StoredColumn, table.name);
      if (kept === value) continue;
      if (typeof kept === "string") onReplaced();
      changed ??= [...row];
      changed[index] = kept;
    }
    return changed ?? row;
  };
}

/** A column of SQLite holds values of every type. */
function storableValue(value: NonNullable<SqlValue>, column: StoredColumn, table: string): SqlValue {
  const { kind } = column;
  if (kind === "text" && typeof value === "string") return storable(value);
  if (kind === "bytes" && typeof value === "object") return value;
  if (kind === "bytes" && typeof value === "string") return Buffer.from(value);
  if (kind === "real" && typeof value === "number") return value;
  if (kind === "integer" && Number.isSafeInteger(value)) return value;
  throw new MillraceError(
    "service_unavailable",
    `A row of the table ${table} cannot be moved: the column ${column.name} has a value of another type than ${kind}.`,
    { remedy: "Nothing was changed. Report this, with the table and the column." },
  );
}
