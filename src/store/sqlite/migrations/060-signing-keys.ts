import type { Migration } from "../database.ts";

export const signingKeys: Migration = {
  name: "060-signing-keys",
  serversMustKnow: "054-several-servers",
  sql: `
    -- Keys that sign the tokens with which runs prove who they are.
    CREATE TABLE signing_keys (
      -- The thumbprint of the public half.
      key_id TEXT PRIMARY KEY,
      generation INTEGER NOT NULL UNIQUE,
      -- A JSON Web Key.
      public_key TEXT NOT NULL,
      -- The private half, sealed with the master key.
      sealed BLOB NOT NULL,
      -- From when on it signs, until a later one does.
      signs_from TEXT NOT NULL,
      created_at TEXT NOT NULL
    );
  `,
};
