import type { Migration } from "../database.ts";

export const revisionFiles: Migration = {
  name: "051-revision-files",
  sql: `
    -- Contents of files of applied revisions, each once. Those that no file names are deleted with the last that did.
    CREATE TABLE file_contents (
      -- SHA-256 of the bytes.
      hash  BLOB PRIMARY KEY,
      bytes BLOB NOT NULL
    );

    -- What was applied to a factory since this step, numbered in that order. A revision can come into force twice.
    CREATE TABLE applied_trees (
      factory_uid TEXT NOT NULL REFERENCES factories (uid),
      number      INTEGER NOT NULL,
      revision    TEXT NOT NULL,
      PRIMARY KEY (factory_uid, number)
    );
    CREATE INDEX applied_trees_of_revision ON applied_trees (factory_uid, revision, number);

    -- Their files. A file that an apply does not change costs nothing.
    CREATE TABLE revision_files (
      factory_uid TEXT NOT NULL REFERENCES factories (uid),
      path        TEXT NOT NULL,
      -- The first number that has it, and the first one after it that has not: null while the newest has it.
      since_tree  INTEGER NOT NULL,
      until_tree  INTEGER,
      -- As git has it: 100644, 100755 (executable), 120000 (link) or 160000 (submodule).
      mode        TEXT NOT NULL,
      size        INTEGER NOT NULL,
      -- What the source names the content by.
      content_id  TEXT NOT NULL,
      -- Null for what is no file, or is too large for its source to have read it.
      hash        BLOB REFERENCES file_contents (hash),
      PRIMARY KEY (factory_uid, path, since_tree)
    );
    CREATE INDEX revision_files_of_content ON revision_files (hash);
    CREATE INDEX revision_files_of_newest ON revision_files (factory_uid) WHERE until_tree IS NULL;
  `,
};
