import type { Pause, PauseStore } from "../../runs/rules/pause.ts";
import { recordChange } from "../changes/change-store.ts";
import type { Database } from "../sqlite/database.ts";

interface PauseRow {
  pause_id: string;
  factory_uid: string | null;
  webhook_uid: string | null;
  automation_uid: string | null;
  name: string | null;
  reason: string | null;
  created_by: string;
  created_at: string;
}

const COLUMNS = "pause_id, factory_uid, webhook_uid, automation_uid, name, reason, created_by, created_at";

export function pauseStore(db: Database): PauseStore {
  return {
    list: () => listPauses(db),
    async create(pause) {
      // The unique index decides who is first, also between two that come at once.
      const isNew = await db.run(
        `INSERT INTO pauses (${COLUMNS})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
        [
          pause.id,
          pause.factoryUid,
          pause.webhookUid,
          pause.automationUid,
          pause.name,
          pause.reason,
          JSON.stringify(pause.createdBy),
          pause.createdAt,
        ],
      );
      if (isNew > 0) {
        await recordPause(db, pause, "created", pause.createdAt);
        return { pause, isNew: true };
      }
      const row = await db.first<PauseRow>(
        `SELECT ${COLUMNS} FROM pauses WHERE COALESCE(factory_uid, '') = $1 AND COALESCE(webhook_uid, '') = $2
         AND COALESCE(automation_uid, '') = $3`,
        [pause.factoryUid ?? "", pause.webhookUid ?? "", pause.automationUid ?? ""],
      );
      if (!row) throw new Error("the conflicting pause was not found");
      return { pause: toPause(row), isNew: false };
    },
    async end(id, at) {
      const sql = `DELETE FROM pauses WHERE pause_id = $1 RETURNING ${COLUMNS}`;
      const [ended] = await db.all<PauseRow>(sql, [id]);
      if (!ended) return false;
      await recordPause(db, toPause(ended), "ended", at);
      return true;
    },
  };
}

/** Every pause, the oldest first: a handful. */
export async function listPauses(db: Database): Promise<Pause[]> {
  const rows = await db.all<PauseRow>(`SELECT ${COLUMNS} FROM pauses ORDER BY created_at, pause_id`);
  return rows.map(toPause);
}

function recordPause(db: Database, { id, factoryUid, webhookUid }: Pause, status: string, at: string) {
  return recordChange(db, { kind: "pause", subject: id, factoryUid, webhookUid, status, at });
}

function toPause(row: PauseRow): Pause {
  return {
    id: row.pause_id,
    factoryUid: row.factory_uid,
    webhookUid: row.webhook_uid,
    automationUid: row.automation_uid,
    name: row.name,
    reason: row.reason,
    createdBy: JSON.parse(row.created_by),
    createdAt: row.created_at,
  };
}
