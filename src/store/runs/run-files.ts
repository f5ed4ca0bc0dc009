import type { Attachment, RunStore } from "../../runs/run.ts";
import type { Database } from "../sqlite/database.ts";

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
