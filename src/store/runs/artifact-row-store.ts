import type { ArtifactFile } from "../../runs/output/artifact-bytes.ts";
import type { ArtifactRowStore } from "../../runs/output/artifact-rows.ts";
import type { Database } from "../sqlite/database.ts";

const OF_FILE = "run_id = $1 AND file_id = $2";
const idsOf = ({ runId, fileId }: ArtifactFile) => [runId, fileId] as const;

/** The bytes of artifacts in rows. */
export function artifactRowStore(db: Database): ArtifactRowStore {
  return {
    async begin(file, { offset, writer }, at) {
      const before = await db.first<{ size: number }>(
        `SELECT size FROM artifact_files WHERE ${OF_FILE}`,
        idsOf(file),
      );
      if ((before?.size ?? 0) < offset) return false;
      await db.run(
        `INSERT INTO artifact_files (run_id, file_id, size, writer, is_whole, changed_at) VALUES ($1, $2, $3, $4, 0, $5)
         ON CONFLICT (run_id, file_id) DO UPDATE
         SET size = excluded.size, writer = excluded.writer, is_whole = 0, changed_at = excluded.changed_at`,
        [...idsOf(file), offset, writer, at],
      );
      await cutRow(db, file, offset);
      return true;
    },
    async dropBehind(file, writer, limit) {
      const own = await db.first<{ size: number }>(
        `SELECT size FROM artifact_files WHERE ${OF_FILE} AND writer = $3`,
        [...idsOf(file), writer],
      );
      if (!own) return 0;
      return db.run(
        `DELETE FROM artifact_bytes WHERE ${OF_FILE} AND position IN (
           SELECT position FROM artifact_bytes WHERE ${OF_FILE} AND position >= $3 ORDER BY position LIMIT $4)`,
        [...idsOf(file), own.size, limit],
      );
    },
    async append(file, { writer, position, bytes }, at) {
      const isOwn = await db.run(
        `UPDATE artifact_files SET size = size + $3, changed_at = $4
         WHERE ${OF_FILE} AND writer = $5 AND size = $6 AND is_whole = 0`,
        [...idsOf(file), bytes.length, at, writer, position],
      );
      if (isOwn === 0) return false;
      await db.run("INSERT INTO artifact_bytes (run_id, file_id, position, bytes) VALUES ($1, $2, $3, $4)", [
        ...idsOf(file),
        position,
        bytes,
      ]);
      return true;
    },
    async seal(file, writer, at) {
      const sealed = await db.run(
        `UPDATE artifact_files SET is_whole = 1, changed_at = $3 WHERE ${OF_FILE} AND writer = $4`,
        [...idsOf(file), at, writer],
      );
      return sealed > 0;
    },
    async findSize(file) {
      const row = await db.first<{ size: number }>(
        `SELECT size FROM artifact_files WHERE ${OF_FILE} AND is_whole = 1`,
        idsOf(file),
      );
      return row?.size;
    },
    findRow: (file, position) => findRow(db, file, position),
    async findChanged(file) {
      const row = await db.first<{ at: string }>(
        `SELECT changed_at AS at FROM artifact_files WHERE ${OF_FILE}`,
        idsOf(file),
      );
      return row?.at;
    },
    async listFiles(runId) {
      const rows = await db.all<{ id: string }>(
        "SELECT file_id AS id FROM artifact_files WHERE run_id = $1 ORDER BY file_id",
        [runId],
      );
      return rows.map(({ id }) => id);
    },
    async listRuns(afterRunId, limit) {
      const rows = await db.all<{ id: string }>(
        "SELECT DISTINCT run_id AS id FROM artifact_files WHERE run_id > $1 ORDER BY run_id LIMIT $2",
        [afterRunId, limit],
      );
      return rows.map(({ id }) => id);
    },
    async remove(runId, fileId, limit) {
      const which = fileId === null ? "run_id = $1" : OF_FILE;
      const ids = fileId === null ? [runId] : [runId, fileId];
      // Whoever writes one of them finds that it is not theirs any more.
      await db.run(`UPDATE artifact_files SET size = 0, writer = '', is_whole = 0 WHERE ${which}`, ids);
      const removed = await db.run(
        `DELETE FROM artifact_bytes WHERE (run_id, file_id, position) IN (
           SELECT run_id, file_id, position FROM artifact_bytes WHERE ${which} LIMIT $${ids.length + 1})`,
        [...ids, limit],
      );
      if (removed < limit) await db.run(`DELETE FROM artifact_files WHERE ${which}`, ids);
      return removed;
    },
  };
}

function findRow(db: Database, file: ArtifactFile, position: number) {
  return db.first<{ position: number; bytes: Uint8Array }>(
    `SELECT position, bytes FROM artifact_bytes WHERE ${OF_FILE} AND position <= $3 ORDER BY position DESC LIMIT 1`,
    [...idsOf(file), position],
  );
}

/** The end of a file may come to lie inside a row. */
async function cutRow(db: Database, file: ArtifactFile, end: number): Promise<void> {
  const last = end === 0 ? undefined : await findRow(db, file, end - 1);
  if (!last || last.position + last.bytes.length <= end) return;
  await db.run(`UPDATE artifact_bytes SET bytes = $3 WHERE ${OF_FILE} AND position = $4`, [
    ...idsOf(file),
    last.bytes.subarray(0, end - last.position),
    last.position,
  ]);
}
