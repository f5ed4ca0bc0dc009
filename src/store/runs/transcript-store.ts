import type { RunMaskStore } from "../../runs/output/run-masks.ts";
import type { OutputChunk, OutputPart, TranscriptStore } from "../../runs/output/transcript.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

/**
 * A piece has up to 256 KiB. A thousand readers hold what they have been given until they have sent it, so beyond the first piece
 * they are given little at a time.
 */
const MAX_BYTES_AT_ONCE = 64 * 1024;

const PARTS: Readonly<Record<OutputPart, string>> = {
  text: "stream <> 'harness'",
  events: "stream = 'harness'",
  all: "TRUE",
};

/** What agents write. It is kept in a database of its own: see `openStore`. */
export function transcriptStore(db: Database): TranscriptStore {
  return {
    async append(runId, chunks) {
      for (const chunk of chunks) {
        await db.run(
          // A worker that has not heard the answer sends its pieces again. One that has lost its turn may do so when the next
          // one writes: what is of an earlier turn comes too late, and takes no place.
          `INSERT INTO run_output (run_id, seq, turn, stream, at, bytes)
           SELECT $1, $2, $3, $4, $5, $6
           WHERE COALESCE((SELECT turn FROM run_output WHERE run_id = $1 ORDER BY seq DESC LIMIT 1), $3) <= $3
           ON CONFLICT (run_id, seq) DO UPDATE SET turn = excluded.turn, stream = excluded.stream, at = excluded.at, bytes = excluded.bytes
             WHERE run_output.turn < excluded.turn`,
          [runId, chunk.seq, chunk.turn, chunk.stream, chunk.at, chunk.bytes],
        );
      }
    },
    list: (runId, afterSeq, limit, part = "text") =>
      db.all<OutputChunk>(
        `SELECT seq, turn, stream, at, bytes FROM run_output WHERE run_id = $1 AND seq > $2 AND seq <= (
           SELECT MAX(seq) FROM (
             SELECT seq, size, SUM(size) OVER (ORDER BY seq) AS total FROM (
               SELECT seq, LENGTH(bytes) AS size FROM run_output
               WHERE run_id = $1 AND seq > $2 AND ${PARTS[part]} ORDER BY seq LIMIT $3
             ) AS sizes
           ) AS totals WHERE total - size = 0 OR total <= $4
         ) AND ${PARTS[part]} ORDER BY seq`,
        [runId, afterSeq, limit, MAX_BYTES_AT_ONCE],
      ),
    async findSize(runId) {
      const sum = await db.first<{ size: number }>(
        "SELECT COALESCE(SUM(LENGTH(bytes)), 0) AS size FROM run_output WHERE run_id = $1 AND stream <> 'harness'",
        [runId],
      );
      return sum?.size ?? 0;
    },
    async findEventSize(runId) {
      const sum = await db.first<{ count: number; bytes: number }>(
        `SELECT COUNT(*) AS count, COALESCE(SUM(LENGTH(bytes)), 0) AS bytes FROM run_output
         WHERE run_id = $1 AND stream = 'harness'`,
        [runId],
      );
      return sum ?? { count: 0, bytes: 0 };
    },
    async findAt(runId, byte) {
      const found = await db.first<{ seq: number; beginning: number }>(
        `SELECT seq, beginning FROM (
           SELECT seq, SUM(LENGTH(bytes)) OVER (ORDER BY seq) - LENGTH(bytes) AS beginning FROM run_output
           WHERE run_id = $1 AND stream <> 'harness'
         ) AS pieces WHERE beginning <= $2 ORDER BY seq DESC LIMIT 1`,
        [runId, byte],
      );
      return { seq: found?.seq ?? 1, offset: found?.beginning ?? 0 };
    },
    async findLastSeq(runId) {
      const last = await db.first<{ seq: number | null }>(
        "SELECT MAX(seq) AS seq FROM run_output WHERE run_id = $1",
        [runId],
      );
      return last?.seq ?? 0;
    },
    async listLastSeqs(runIds) {
      const rows = await db.all<{ run_id: string; seq: number }>(
        `SELECT run_id, MAX(seq) AS seq FROM run_output WHERE run_id IN (${placeholders(runIds.length)}) GROUP BY run_id`,
        [...runIds],
      );
      return Object.fromEntries(rows.map(({ run_id, seq }) => [run_id, seq]));
    },
    async listRuns(afterRunId, limit) {
      const rows = await db.all<{ run_id: string }>(
        "SELECT DISTINCT run_id FROM run_output WHERE run_id > $1 ORDER BY run_id LIMIT $2",
        [afterRunId, limit],
      );
      return rows.map((row) => row.run_id);
    },
    forget: (runIds, limit) =>
      db.run(
        `DELETE FROM run_output WHERE (run_id, seq) IN (
           SELECT run_id, seq FROM run_output WHERE run_id IN (${placeholders(runIds.length)}) LIMIT $${runIds.length + 1})`,
        [...runIds, limit],
      ),
  };
}

export function runMaskStore(db: Database): RunMaskStore {
  return {
    async keep(runId, sealed) {
      await db.run(
        `INSERT INTO run_masks (run_id, sealed) VALUES ($1, $2)
         ON CONFLICT (run_id) DO UPDATE SET sealed = excluded.sealed`,
        [runId, sealed],
      );
    },
    async find(runId) {
      const row = await db.first<{ sealed: string }>("SELECT sealed FROM run_masks WHERE run_id = $1", [
        runId,
      ]);
      return row?.sealed;
    },
    async forget(runId, sealed) {
      await db.run("DELETE FROM run_masks WHERE run_id = $1 AND sealed = $2", [runId, sealed]);
    },
  };
}
