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
    async follow(passed) {
      // The applied definition counts itself: it is what has named the first target. A failed one is not in force.
      await db.run(
        `UPDATE ${progress} SET is_active = 1, seq = COALESCE(
           (SELECT MIN(seq) - 1 FROM changes
            WHERE seq > $1 AND kind = 'factory' AND status NOT IN ('failed', 'deleted')),
           (SELECT MAX(seq) FROM changes), 0)
         WHERE is_active = 0`,
        [passed ?? Number.MAX_SAFE_INTEGER],
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
