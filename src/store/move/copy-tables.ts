import { MillraceError } from "../../errors/error.ts";
import type { MoveSource, MoveTarget } from "./movable-store.ts";
import { digestRows, type TableDigest } from "./row-digest.ts";
import { storableRows } from "./storable-row.ts";
import type { StoredTable } from "./stored-tables.ts";

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
