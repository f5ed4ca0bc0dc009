import type { QueryResult } from "pg";
import type { SqlValue } from "../sqlite/database.ts";

/** What a statement has led to. */
export interface StatementResult {
  rows: readonly unknown[];
  /** How many rows were read or written. */
  count: number;
}

type Ask = GatherOptions["ask"];

interface Asked {
  values: readonly SqlValue[];
  resolve(result: StatementResult): void;
  reject(error: unknown): void;
}

/** Each number of rows is a statement that is planned for itself: with powers of two they are few. */
const MAX_ROWS = 64;

export interface GatherOptions {
  ask(sql: string, values: readonly SqlValue[]): Promise<QueryResult>;
  /** Sends what is asked for meanwhile in one go. */
  inOneGo(send: () => void): void;
}

/**
 * Makes one statement of those that are asked for at the same time: inserts into a table become one with several rows, and what is
 * read alike is read once. They may be carried out in any order.
 */
export function gatherStatements({
  ask,
  inOneGo,
}: GatherOptions): (sql: string, values?: readonly SqlValue[]) => Promise<StatementResult> {
  let gathered = new Map<string, Asked[]>();
  const inserts = new Map<string, InsertRows | undefined>();

  function insertOf(sql: string): InsertRows | undefined {
    if (!isInsert(sql)) return undefined;
    if (!inserts.has(sql)) inserts.set(sql, insertRows(sql));
    return inserts.get(sql);
  }

  function sendOne(sql: string, all: readonly Asked[]): void {
    const insert = all.length > 1 ? insertOf(sql) : undefined;
    if (insert) for (const some of chunks(all)) void insertTogether(ask, insert, some);
    else if (isRead(sql)) for (const some of alike(all)) void askOnce(ask, sql, some);
    // What writes has to be carried out as often as it was asked for.
    else for (const each of all) void askOnce(ask, sql, [each]);
  }

  function send(): void {
    const together = gathered;
    gathered = new Map();
    inOneGo(() => {
      for (const [sql, all] of together) sendOne(sql, all);
    });
  }

  return (sql, values = []) =>
    new Promise((resolve, reject) => {
      // What answers to one wave of statements lead to is the next one.
      if (gathered.size === 0) setImmediate(send);
      const same = gathered.get(sql);
      const asked = { values, resolve, reject };
      if (same) same.push(asked);
      else gathered.set(sql, [asked]);
    });
}

const isInsert = (sql: string) => /^\s*INSERT\b/.test(sql);
const isRead = (sql: string) => /^\s*SELECT\b/.test(sql);

/** @param alike statements with the same values */
async function askOnce(ask: Ask, sql: string, alike: readonly Asked[]): Promise<void> {
  try {
    const { rows, rowCount } = await ask(sql, alike[0]?.values ?? []);
    for (const { resolve } of alike) resolve({ rows, count: rowCount ?? 0 });
  } catch (error) {
    for (const { reject } of alike) reject(error);
  }
}

async function insertTogether(
  ask: Ask,
  { conflict, text }: InsertRows,
  some: readonly Asked[],
): Promise<void> {
  try {
    const { rows } = await ask(
      text(some.length),
      some.flatMap(({ values }) => values),
    );
    const isWritten = conflict && firstOf(rows.map((row) => Object.values(row as object)));
    for (const { values, resolve } of some) {
      const count = !isWritten || isWritten(conflict.map((place) => values[place])) ? 1 : 0;
      resolve({ rows: [], count });
    }
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
}

/** @returns whether keys are among those that were written, for the first that asks: the same one a second time was not */
function firstOf(written: readonly unknown[][]): (key: readonly unknown[]) => boolean {
  const left = new Set(written.map(textOf));
  return (key) => left.delete(textOf(key));
}

/** Tells values apart. Bytes come back as a Buffer, whatever they were given as. */
const textOf = (values: readonly unknown[]) => values.map(tagged).join("\0");

function tagged(value: unknown): string {
  if (typeof value === "string") return `'${value}`;
  return ArrayBuffer.isView(value) ? Buffer.from(value as Uint8Array).toString("hex") : String(value);
}

function* chunks(all: readonly Asked[]): Generator<readonly Asked[]> {
  for (let begin = 0; begin < all.length; ) {
    const size = 2 ** Math.floor(Math.log2(Math.min(MAX_ROWS, all.length - begin)));
    yield all.slice(begin, begin + size);
    begin += size;
  }
}

function alike(all: readonly Asked[]): Iterable<readonly Asked[]> {
  const groups = new Map<string, Asked[]>();
  for (const asked of all) {
    const key = textOf(asked.values);
    const same = groups.get(key);
    if (same) same.push(asked);
    else groups.set(key, [asked]);
  }
  return groups.values();
}

/** A statement that inserts a row, as one that inserts several. */
interface InsertRows {
  /** The places among them of what decides whether a row is there already; nothing when each row is written or the statement fails. */
  conflict: readonly number[] | undefined;
  /** The statement for so many rows; it returns the columns of {@link conflict} of those that it has written. */
  text(rows: number): string;
}

const INSERT =
  /^\s*INSERT INTO (?<table>\w+) \((?<columns>[^()]*)\)\s*VALUES \((?<values>[^()]*)\)\s*(?:ON CONFLICT \((?<conflict>[^()]*)\) DO NOTHING)?\s*$/;
const PARAMETER = /\$(\d+)/g;

/** @returns nothing for a statement that is none, or that does something else with a row that is there already */
export function insertRows(sql: string): InsertRows | undefined {
  const { columns, values, conflict } = INSERT.exec(sql)?.groups ?? {};
  if (columns === undefined || values === undefined) return undefined;
  const width = Math.max(0, ...Array.from(values.matchAll(PARAMETER), ([, number]) => Number(number)));
  const places =
    conflict === undefined ? undefined : placesOf(listed(conflict), listed(columns), listed(values));
  if (places?.includes(Number.NaN)) return undefined;
  const head = sql.slice(0, sql.indexOf("VALUES"));
  const tail = conflict === undefined ? "" : ` ON CONFLICT (${conflict}) DO NOTHING RETURNING ${conflict}`;
  const row = (index: number) =>
    `(${values.replace(PARAMETER, (_, number) => `$${index * width + Number(number)}`)})`;
  const texts = new Map<number, string>();
  return {
    conflict: places,
    text(rows) {
      const text =
        texts.get(rows) ??
        `${head}VALUES ${Array.from({ length: rows }, (_, index) => row(index)).join(", ")}${tail}`;
      texts.set(rows, text);
      return text;
    },
  };
}

const listed = (text: string) => text.split(",").map((each) => each.trim());

/** @returns for each of some columns which parameter it is given, and NaN for one that is given something else */
function placesOf(some: readonly string[], columns: readonly string[], values: readonly string[]): number[] {
  return some.map((column) => {
    const value = values[columns.indexOf(column)] ?? "";
    return /^\$\d+$/.test(value) ? Number(value.slice(1)) - 1 : Number.NaN;
  });
}
