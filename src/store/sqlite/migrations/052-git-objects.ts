import type { Migration } from "../database.ts";

export const gitObjects: Migration = {
  name: "052-git-objects",
  sql: `
    -- The commits of repositories that millrace keeps which came into force, in that order. Of each, all objects are stored.
    CREATE TABLE managed_heads (
      factory_uid TEXT NOT NULL REFERENCES factories (uid),
      number      INTEGER NOT NULL,
      commit_id   TEXT NOT NULL,
      PRIMARY KEY (factory_uid, number)
    );
    CREATE INDEX managed_heads_of_commit ON managed_heads (factory_uid, commit_id);

    -- Their objects: whoever has the repository as of one number lacks those with a higher one.
    CREATE TABLE git_objects (
      factory_uid TEXT NOT NULL REFERENCES factories (uid),
      oid         TEXT NOT NULL,
      -- commit, tree or blob
      type        TEXT NOT NULL,
      -- Of the content; the bytes are the content as zlib deflates it, which is how git has it in packs.
      size        INTEGER NOT NULL,
      bytes       BLOB NOT NULL,
      number      INTEGER NOT NULL,
      PRIMARY KEY (factory_uid, oid)
    );
    CREATE INDEX git_objects_by_number ON git_objects (factory_uid, number);
  `,
};
