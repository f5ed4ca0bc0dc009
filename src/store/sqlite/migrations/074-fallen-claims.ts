import type { Migration } from "../database.ts";

export const fallenClaims: Migration = {
  name: "074-fallen-claims",
  serversMustKnow: "054-several-servers",
  sql: `
    -- Workers that claim turns and let them fall back, by the data folder of each: how often, and until when they get none.
    CREATE TABLE fallen_claims (
      home   TEXT PRIMARY KEY,
      count  INTEGER NOT NULL,
      until  TEXT NOT NULL
    );
    CREATE INDEX fallen_claims_until ON fallen_claims (until);
    -- Which request of a worker has claimed the turn of a run, so that another server can answer it again.
    ALTER TABLE runs ADD COLUMN claimed_for TEXT;
  `,
};
