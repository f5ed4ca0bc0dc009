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
INSERT INTO "migrations" (name, applied_at) VALUES ('001-output', '2026-11-22T06:55:21.608Z');
INSERT INTO "run_output" (run_id, seq, turn, stream, at, bytes) VALUES ('01a20209-c3bc-7710-ae50-fd6de1ac8b28', 1, 1, 'stdout', '2026-11-22T06:55:24.744Z', X'646f6e650a');
INSERT INTO "run_output" (run_id, seq, turn, stream, at, bytes) VALUES ('01a20209-c4c2-72c0-976f-79f4f44e11ec', 1, 1, 'stdout', '2026-11-22T06:55:24.856Z', X'646f6e650a');
