import { newUuid } from "../../id.ts";
import type { Artifact } from "../../runs/rules/artifact.ts";
import type { Attachment } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { internTexts, tagText } from "./facets.ts";
import { isHeld } from "./run-moves.ts";

/** An artifact as the database names it. */
export interface ArtifactRow {
  artifact_uid: string;
  run_id: string;
  turn: number;
  artifact_type: Artifact["type"];
  data: string;
  created_at: string;
}

export const ARTIFACT_COLUMNS = "artifact_uid, run_id, turn, artifact_type, data, created_at";

/** What agents report that they have made. A run is found by the types of its artifacts. */
export function runArtifacts(db: Database): Pick<RunStore, "addArtifact" | "listArtifacts" | "findArtifact"> {
  return {
    async addArtifact(runId, { id, turn, type, data, createdAt }, most, ticket) {
      if (ticket !== undefined && !(await isHeld(db, { id: runId, ticket }))) return undefined;
      // A worker that has not heard the answer lists its file again.
      const listed = "SELECT 1 FROM run_artifacts WHERE artifact_uid = $1 AND run_id = $2";
      if (await db.first(listed, [id, runId])) return undefined;
      const text = JSON.stringify(data);
      const known = await db.first<{ count: number; bytes: number | null }>(
        "SELECT COUNT(*) AS count, SUM(OCTET_LENGTH(data)) AS bytes FROM run_artifacts WHERE run_id = $1",
        [runId],
      );
      if ((known?.count ?? 0) >= most.count) return "too many";
      if ((known?.bytes ?? 0) + Buffer.byteLength(text) > most.bytes) return "too large";
      await db.run(
        `INSERT INTO run_artifacts (artifact_uid, run_id, turn, artifact_type, data, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [id, runId, turn, type, text, createdAt],
      );
      if (data.contains_secret) await insertSecretEvent(db, runId, { id, turn, data, createdAt });
      const tag = tagText.artifact(type);
      const ids = await internTexts(db, [tag]);
      await db.run(
        `INSERT INTO run_tags (tag, number) SELECT $1, number FROM run_listing WHERE run_id = $2
         ON CONFLICT DO NOTHING`,
        [ids.get(tag) ?? 0, runId],
      );
      return undefined;
    },
    async listArtifacts(runIds) {
      if (runIds.length === 0) return {};
      const found: Record<string, Artifact[]> = Object.fromEntries(runIds.map((id) => [id, []]));
      const rows = await db.all<ArtifactRow>(
        `SELECT ${ARTIFACT_COLUMNS} FROM run_artifacts WHERE run_id IN (${placeholders(runIds.length)}) ORDER BY artifact_uid`,
        [...runIds],
      );
      for (const row of rows) found[row.run_id]?.push(toArtifact(row));
      return found;
    },
    async findArtifact(id) {
      const row = await db.first<ArtifactRow>(
        `SELECT ${ARTIFACT_COLUMNS} FROM run_artifacts WHERE artifact_uid = $1`,
        [id],
      );
      return row && { runId: row.run_id, artifact: toArtifact(row) };
    },
  };
}

/** The timeline says that a file of the run is not for everybody who may see the run. */
async function insertSecretEvent(
  db: Database,
  runId: string,
  { id, turn, data, createdAt }: Pick<Artifact, "id" | "turn" | "data" | "createdAt">,
): Promise<void> {
  await db.run(
    "INSERT INTO run_events (event_uuid, run_id, event_type, occurred_at, payload) VALUES ($1, $2, $3, $4, $5)",
    [
      newUuid(),
      runId,
      "artifact_contains_secret",
      createdAt,
      JSON.stringify({ turn, artifact_uid: id, filepath: data.filepath }),
    ],
  );
}

export function toArtifact(row: ArtifactRow): Artifact {
  return {
    id: row.artifact_uid,
    turn: row.turn,
    type: row.artifact_type,
    data: JSON.parse(row.data),
    createdAt: row.created_at,
  };
}

/** What a run is given. */
export function runFiles(db: Database): Pick<RunStore, "listAttachments" | "findAttachment"> {
  return {
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
