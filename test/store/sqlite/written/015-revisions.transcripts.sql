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
INSERT INTO "migrations" (name, applied_at) VALUES ('001-output', '2026-11-22T06:53:38.105Z');
INSERT INTO "run_output" (run_id, seq, turn, stream, at, bytes) VALUES ('01a20208-2936-7182-927b-96ad100000cf', 1, 1, 'stdout', '2026-11-22T06:53:39.295Z', X'646f6e650a');
INSERT INTO "run_output" (run_id, seq, turn, stream, at, bytes) VALUES ('01a20208-28f5-76bd-a62f-3e769d302782', 1, 1, 'stdout', '2026-11-22T06:53:39.370Z', X'646f6e650a');
