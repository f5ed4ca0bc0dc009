import type { Outbox } from "../../outbox/outbox.ts";
import type { Database } from "../sqlite/database.ts";
import type { OutboxTables } from "./outbox-tables.ts";

type Progress = Pick<Outbox<string, unknown>, "findProgress" | "follow" | "pass" | "saveProgress">;

/** How far the log of changes was read for an outbox. */
export function outboxProgress(db: Database, { progress }: Pick<OutboxTables, "progress">): Progress {
  return {
    async findProgress() {
      const row = await db.first<{ seq: number; is_active: number; newest: number | null }>(
        `SELECT seq, is_active, (SELECT MAX(seq) FROM changes) AS newest FROM ${progress}`,
      );
      return { seq: row?.seq ?? 0, newest: row?.newest ?? 0, isActive: row?.is_active === 1 };
    },
    async follow() {
      await db.run(
        `UPDATE ${progress} SET is_active = 1, seq = COALESCE((SELECT MAX(seq) FROM changes), 0)
         WHERE is_active = 0`,
      );
      return (await db.first<{ seq: number }>(`SELECT seq FROM ${progress}`))?.seq ?? 0;
    },
    async pass() {
      await db.run(`UPDATE ${progress} SET is_active = 0 WHERE is_active = 1`);
    },
    async saveProgress(upTo) {
      await db.run(`UPDATE ${progress} SET seq = $1 WHERE seq < $1`, [upTo]);
    },
  };
}
