import type { Migration } from "../database.ts";

export const conversations: Migration = {
  name: "030-conversations",
  sql: `
    -- What agents say to people: questions and answers. What is said to them is in runs (the prompt) and run_followups.
    CREATE TABLE run_messages (
      run_id     TEXT NOT NULL REFERENCES runs (run_id),
      message_id TEXT NOT NULL,
      turn       INTEGER NOT NULL,
      kind       TEXT NOT NULL,
      text       TEXT NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY (run_id, message_id)
    ) WITHOUT ROWID;

    -- Whether a message answered the question of a blocked run.
    ALTER TABLE run_followups ADD COLUMN is_answer INTEGER NOT NULL DEFAULT 0;
    -- Who ended a blocked run, and why.
    ALTER TABLE runs ADD COLUMN dismissal TEXT;

    -- Messages that joined a prompt before it was recorded that its agent was given them.
    UPDATE run_followups SET given_at = created_at
    WHERE given_at IS NULL AND outcome = 'queued_prompt' AND turn = 1
      AND run_id IN (SELECT run_id FROM runs WHERE started_at IS NOT NULL);

    -- The open question goes by the event that told of it, and the last answer by the one that ended its turn.
    INSERT INTO run_messages (run_id, message_id, turn, kind, text, created_at)
    SELECT runs.run_id, event_uuid, runs.turn, 'question', json_extract(status_message, '$.message'), occurred_at
    FROM runs JOIN run_events ON run_events.run_id = runs.run_id AND event_uuid = (
      SELECT MIN(event_uuid) FROM run_events AS asked
      WHERE asked.run_id = runs.run_id AND event_type = 'oz_run_blocked' AND json_extract(payload, '$.turn') = runs.turn)
    WHERE state = 'BLOCKED' AND json_extract(status_message, '$.message') IS NOT NULL;

    INSERT OR IGNORE INTO run_messages (run_id, message_id, turn, kind, text, created_at)
    SELECT runs.run_id, event_uuid, COALESCE(json_extract(payload, '$.turn'), 1), 'answer', answer, occurred_at
    FROM runs JOIN run_events ON run_events.run_id = runs.run_id AND event_uuid = (
      SELECT MAX(event_uuid) FROM run_events AS ended
      WHERE ended.run_id = runs.run_id
        AND event_type IN ('oz_run_done', 'oz_run_failed', 'oz_run_errored', 'oz_run_cancelled', 'oz_run_blocked'))
    WHERE answer IS NOT NULL AND answer <> '';
  `,
};
