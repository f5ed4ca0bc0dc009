import type { Schema } from "../schema/schema.ts";

/** The schema of the database of transcripts. */
export const TRANSCRIPT_SCHEMA: Schema = {
  sql: `
    CREATE TABLE run_output (
      run_id TEXT NOT NULL,
      seq    INTEGER NOT NULL,
      turn   INTEGER NOT NULL,
      stream TEXT NOT NULL,
      at     TEXT NOT NULL,
      bytes  BLOB NOT NULL,
      PRIMARY KEY (run_id, seq)
    );
  `,
  recorded: [{ name: "001-output" }],
  steps: [],
};

/** Where the transcripts of a database are: beside it. */
export function transcriptsBeside(database: string): string {
  return `${database.replace(/\.db$/, "")}-transcripts.db`;
}
