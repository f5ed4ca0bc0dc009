import type { Migration } from "../database.ts";

export const secretAnswers: Migration = {
  name: "055-secret-answers",
  serversMustKnow: "054-several-servers",
  sql: `
    -- Answers with secrets that were just made, for a sender who repeats a request with its Idempotency-Key.
    CREATE TABLE secret_answers (
      -- Codes of who sends the request with which key, and of what it asks for.
      answer_id TEXT PRIMARY KEY,
      request_code TEXT NOT NULL,
      -- Who carries the request out; nothing when that is done.
      holder TEXT,
      -- Opened with the master key and the Idempotency-Key; nothing when it is no longer shown.
      sealed BLOB,
      -- When it was begun, and then when it was answered.
      changed_at TEXT NOT NULL
    );
    CREATE INDEX secret_answers_by_age ON secret_answers (changed_at);
  `,
};
