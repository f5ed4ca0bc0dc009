import type { Migration } from "../database.ts";

export const deliverySearch: Migration = {
  name: "032-delivery-search",
  sql: `
    -- By which words deliveries are found. A segment has the words of some deliveries; it is made once, and replaced by a
    -- larger one together with others.
    CREATE TABLE delivery_segments (
      segment     INTEGER PRIMARY KEY,
      -- 0 for deliveries that came since this table exists, 1 for those from before.
      part        INTEGER NOT NULL,
      state       TEXT NOT NULL,
      deliveries  INTEGER NOT NULL,
      first_id    TEXT NOT NULL,
      last_id     TEXT NOT NULL,
      -- Which segment, being made, takes its place; of that one, up to which term it is made.
      replaced_by INTEGER,
      made_up_to  BLOB
    );
    -- The ids of a segment's deliveries, 16 bytes each.
    CREATE TABLE delivery_segment_ids (
      segment INTEGER PRIMARY KEY,
      ids     BLOB NOT NULL
    );
    -- A block fills a page of the table: with its key in an index beside it, not a byte of it is elsewhere.
    CREATE TABLE delivery_terms (
      segment INTEGER NOT NULL,
      first   BLOB NOT NULL,
      data    BLOB NOT NULL
    );
    CREATE INDEX delivery_terms_in_order ON delivery_terms (segment, first);

    -- Deliveries whose words have to leave their segment, and when at the latest. Until then, they are not found.
    CREATE TABLE delivery_search_gone (
      delivery_id TEXT PRIMARY KEY,
      due         TEXT NOT NULL,
      segment     INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX delivery_search_gone_due ON delivery_search_gone (due) WHERE segment IS NULL;
    CREATE INDEX delivery_search_gone_from ON delivery_search_gone (segment) WHERE segment IS NOT NULL;

    -- Webhooks that were given the uid that they had before: segments know their deliveries under the other one.
    CREATE TABLE delivery_search_adoptions (
      factory_uid TEXT NOT NULL,
      webhook_uid TEXT NOT NULL,
      other_uid   TEXT NOT NULL,
      PRIMARY KEY (factory_uid, webhook_uid, other_uid)
    ) WITHOUT ROWID;

    -- Up to which change deliveries can be found; before which id those from before this table cannot yet.
    CREATE TABLE delivery_search_progress (
      seq    INTEGER NOT NULL,
      before TEXT
    );
    INSERT INTO delivery_search_progress (seq, before)
      SELECT COALESCE(MAX(seq), 0), (SELECT MAX(delivery_id) || '~' FROM deliveries) FROM changes;

    -- Few runs fail: those that do lead to their deliveries.
    CREATE INDEX runs_failed_of_deliveries ON runs (delivery_id)
      WHERE state IN ('FAILED', 'ERROR') AND delivery_id IS NOT NULL;
  `,
};
