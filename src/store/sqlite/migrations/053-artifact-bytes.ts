import type { Migration } from "../database.ts";

export const artifactBytes: Migration = {
  name: "053-artifact-bytes",
  sql: `
    -- Files that agents left, of a store that several servers share. One server keeps them in a folder.
    CREATE TABLE artifact_files (
      run_id TEXT NOT NULL,
      file_id TEXT NOT NULL,
      -- How many bytes have come. Rows behind them belong to nothing.
      size INTEGER NOT NULL,
      -- Who adds to it: another one takes it over by writing itself down.
      writer TEXT NOT NULL,
      is_whole INTEGER NOT NULL,
      changed_at TEXT NOT NULL,
      PRIMARY KEY (run_id, file_id)
    );

    -- Their bytes, at most 256 KiB in a row.
    CREATE TABLE artifact_bytes (
      run_id TEXT NOT NULL,
      file_id TEXT NOT NULL,
      -- Of the first byte of the row in the file.
      position INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (run_id, file_id, position)
    );
  `,
};
