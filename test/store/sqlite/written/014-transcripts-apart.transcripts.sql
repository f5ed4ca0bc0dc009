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
INSERT INTO "migrations" (name, applied_at) VALUES ('001-output', '2026-11-22T06:53:09.725Z');
INSERT INTO "run_output" (run_id, seq, turn, stream, at, bytes) VALUES ('01a20207-be5e-7372-935c-0c653ac0ff7c', 1, 1, 'stdout', '2026-11-22T06:53:11.965Z', X'646f6e650a');
INSERT INTO "run_output" (run_id, seq, turn, stream, at, bytes) VALUES ('01a20207-beb1-709e-b425-f65984a80b21', 1, 1, 'stdout', '2026-11-22T06:53:11.979Z', X'646f6e650a');
