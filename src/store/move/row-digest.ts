import { hash } from "node:crypto";
import type { ColumnKind, StoredRow, StoredTable } from "./stored-tables.ts";

/** What is known of all rows of a table together. Two tables with the same rows have the same digest, in whichever order they come. */
export interface TableDigest {
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
