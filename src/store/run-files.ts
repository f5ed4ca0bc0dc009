import type { Attachment, OutputChunk, RunStore } from "../runs/run.ts";
import type { Database } from "./database.ts";

/** What a run is given and what its agent writes. */
export function runFiles(
  db: Database,
): Pick<
  RunStore,
  | "appendOutput"
  | "listOutput"
  | "findLastSeq"
  | "findOutputSize"
  | "findOutputAt"
  | "listAttachments"
  | "findAttachment"
> {
  return {
    async appendOutput(runId, chunks) {
      for (const chunk of chunks) {
        await db.run(
          "INSERT INTO run_output (run_id, seq, turn, stream, at, bytes) VALUES ($1, $2, $3, $4, $5, $6)",
          [runId, chunk.seq, chunk.turn, chunk.stream, chunk.at, chunk.bytes],
        );
      }
    },
    listOutput: (runId, afterSeq, limit) =>
      db.all<OutputChunk>(
        "SELECT seq, turn, stream, at, bytes FROM run_output WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        [runId, afterSeq, limit],
      ),
    async findOutputSize(runId) {
      const sum = await db.first<{ size: number }>(
        "SELECT COALESCE(SUM(LENGTH(bytes)), 0) AS size FROM run_output WHERE run_id = $1",
        [runId],
      );
      return sum?.size ?? 0;
    },
    async findOutputAt(runId, byte) {
      const found = await db.first<{ seq: number; beginning: number }>(
        `SELECT seq, beginning FROM (
           SELECT seq, SUM(LENGTH(bytes)) OVER (ORDER BY seq) - LENGTH(bytes) AS beginning FROM run_output WHERE run_id = $1
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
    listAttachments: (runId) =>
      db.all<Attachment>(
        'SELECT name, mime_type AS "mimeType", size FROM run_attachments WHERE run_id = $1 ORDER BY name',
        [runId],
      ),
    findAttachment: (runId, name) =>
      db.first<Attachment & { content: Uint8Array }>(
        `SELECT a.name, a.mime_type AS "mimeType", a.size, COALESCE(a.content, d.payload) AS content
         FROM run_attachments a LEFT JOIN deliveries d ON d.delivery_id = a.delivery_id
         WHERE a.run_id = $1 AND a.name = $2`,
        [runId, name],
      ),
  };
}
