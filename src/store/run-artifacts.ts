import type { RunStore } from "../runs/run.ts";
import type { Database } from "./database.ts";
import { internTexts, tagText } from "./facets.ts";

interface ArtifactRow {
  artifact_uid: string;
  turn: number;
  artifact_type: string;
  data: string;
  created_at: string;
}

/** What agents report that they have made. A run is found by the types of its artifacts. */
export function runArtifacts(db: Database): Pick<RunStore, "addArtifact" | "listArtifacts"> {
  return {
    async addArtifact(runId, { id, turn, type, data, createdAt }) {
      await db.run(
        `INSERT INTO run_artifacts (artifact_uid, run_id, turn, artifact_type, data, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [id, runId, turn, type, JSON.stringify(data), createdAt],
      );
      const tag = tagText.artifact(type);
      const ids = await internTexts(db, [tag]);
      await db.run(
        `INSERT INTO run_tags (tag, number) SELECT $1, number FROM run_listing WHERE run_id = $2
         ON CONFLICT DO NOTHING`,
        [ids.get(tag) ?? 0, runId],
      );
    },
    async listArtifacts(runId) {
      const rows = await db.all<ArtifactRow>(
        `SELECT artifact_uid, turn, artifact_type, data, created_at FROM run_artifacts
         WHERE run_id = $1 ORDER BY artifact_uid`,
        [runId],
      );
      return rows.map((row) => ({
        id: row.artifact_uid,
        turn: row.turn,
        type: row.artifact_type,
        data: JSON.parse(row.data),
        createdAt: row.created_at,
      }));
    },
  };
}
