CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL);
CREATE TABLE run_output (
        run_id TEXT NOT NULL,
        seq    INTEGER NOT NULL,
        turn   INTEGER NOT NULL,
        stream TEXT NOT NULL,
        at     TEXT NOT NULL,
        bytes  BLOB NOT NULL,
        PRIMARY KEY (run_id, seq)
      );
INSERT INTO "migrations" (name, applied_at) VALUES ('001-output', '2026-11-22T13:15:25.316Z');
INSERT INTO "run_output" (run_id, seq, turn, stream, at, bytes) VALUES ('01a20365-b0a4-7630-b150-87f1b0a650b4', 1, 1, 'stdout', '2026-11-22T13:15:25.793Z', X'646f6e650a');
INSERT INTO "run_output" (run_id, seq, turn, stream, at, bytes) VALUES ('01a20365-b084-7461-9208-35d7708c2f62', 1, 1, 'stdout', '2026-11-22T13:15:25.804Z', X'646f6e650a');
