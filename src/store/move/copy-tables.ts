import { hash } from "node:crypto";
import { MillraceError } from "../../errors/error.ts";
import { storable } from "../../platform/storable-text.ts";
import type { SqlValue } from "../sqlite/database.ts";
import type { MoveSource, MoveTarget } from "./movable-store.ts";
import type { ColumnKind, StoredColumn, StoredRow, StoredTable } from "./stored-tables.ts";

/** How far it is, while it is under way. */
export interface MoveProgress {
  step: "copied" | "verified";
  table: string;
  rows: number;
  /** Whether the table is done. */
  isWhole: boolean;
}

export interface CopiedTables {
  tables: { name: string; rows: number }[];
  /** Texts in which characters were replaced that PostgreSQL does not store. */
  replaced: number;
}

interface Sides {
  source: MoveSource;
  target: MoveTarget;
  onProgress(progress: MoveProgress): void;
}

/**
 * Copies the rows of tables, and reads them back.
 * @throws MillraceError when a table of the target does not have the same rows
 */
export async function copyTables(tables: readonly StoredTable[], sides: Sides): Promise<CopiedTables> {
  const { source, target } = sides;
  let replaced = 0;
  const written: { table: StoredTable; expected: TableDigest }[] = [];
  for (const table of tables) {
    if (table.initial.length > 0) await target.clear(table);
    const expected = await copyTable(table, sides, () => {
      replaced += 1;
    });
    written.push({ table, expected });
  }
  for (const { table, expected } of written) await verifyTable(table, expected, sides);
  for (const { table } of written)
    if (table.numbered !== undefined) await target.setLastNumber(table, await source.lastNumber(table));
  return {
    tables: written.map(({ table, expected }) => ({ name: table.name, rows: expected.rows })),
    replaced,
  };
}

async function copyTable(
  table: StoredTable,
  { source, target, onProgress }: Sides,
  onReplaced: () => void,
): Promise<TableDigest> {
  const digest = digestRows(table);
  const storable = storableRows(table, onReplaced);
  // The next rows are read while the target stores these.
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const batch of source.read(table)) {
      const rows = batch.map(storable);
      for (const row of rows) digest.add(row);
      await writing;
      writing = target.write(table, rows);
      // It is waited for below; a failure in the meantime is heard of there.
      writing.catch(() => {});
      onProgress({ step: "copied", table: table.name, rows: digest.result().rows, isWhole: false });
    }
  } finally {
    await writing;
  }
  const result = digest.result();
  onProgress({ step: "copied", table: table.name, rows: result.rows, isWhole: true });
  return result;
}

async function verifyTable(
  table: StoredTable,
  expected: TableDigest,
  { target, onProgress }: Sides,
): Promise<void> {
  const digest = digestRows(table);
  for await (const batch of target.read(table)) {
    for (const row of batch) digest.add(row);
    onProgress({ step: "verified", table: table.name, rows: digest.result().rows, isWhole: false });
  }
  const found = digest.result();
  if (found.digest !== expected.digest || found.rows !== expected.rows) throw differs(table, expected, found);
  onProgress({ step: "verified", table: table.name, rows: found.rows, isWhole: true });
}

function differs({ name }: StoredTable, expected: TableDigest, found: TableDigest): MillraceError {
  const counts =
    found.rows === expected.rows
      ? `it has ${found.rows} rows, as expected, but their values differ`
      : `it has ${found.rows} rows instead of ${expected.rows}`;
  return new MillraceError(
    "service_unavailable",
    `The table ${name} of the target is not the same as that of the source: ${counts}.`,
    { remedy: "Nothing was stored in the target, and the source was not changed. Report this." },
  );
}

/**
 * Makes of the rows of a table what every database can store.
 * @param onReplaced hears of each text in which characters were replaced
 */
function storableRows(
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

/** What is known of all rows of a table together. Two tables with the same rows have the same digest, in whichever order they come. */
interface TableDigest {
  rows: number;
  digest: string;
}

const LANES = 8;
const BYTES_PER_LANE = 4;

/** Takes the rows of a table one after the other. */
export function digestRows({ columns }: Pick<StoredTable, "columns">) {
  const kinds = columns.map(({ kind }) => kind);
  let rows = 0;
  // The sum of the hashes of all rows: no database has to sort them, and keys may sort differently than before.
  const sum = new Uint32Array(LANES);
  return {
    add(row: StoredRow): void {
      rows += 1;
      // As text, one character a byte: it is made twice as fast as a buffer.
      const digest = hash("sha256", serialized(row, kinds), "binary");
      for (let lane = 0; lane < LANES; lane += 1) sum[lane] = (sum[lane] ?? 0) + laneOf(digest, lane);
    },
    result(): TableDigest {
      return { rows, digest: Buffer.from(sum.buffer).toString("hex") };
    },
  };
}

function laneOf(digest: string, lane: number): number {
  let value = 0;
  for (let byte = lane * BYTES_PER_LANE; byte < (lane + 1) * BYTES_PER_LANE; byte += 1)
    value = value * 256 + digest.charCodeAt(byte);
  return value;
}

/** No two different rows have the same text: each value says how long it is. */
function serialized(row: StoredRow, kinds: readonly ColumnKind[]): string {
  let text = "";
  for (let column = 0; column < row.length; column += 1) {
    const value = row[column];
    if (value === null || value === undefined) text += "-;";
    else if (typeof value === "object") text += `b${value.length}:${latin1(value)};`;
    else if (typeof value === "string") text += `t${value.length}:${value};`;
    else text += `${kinds[column] === "real" ? "r" : "i"}${value};`;
  }
  return text;
}

function latin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("latin1");
}
