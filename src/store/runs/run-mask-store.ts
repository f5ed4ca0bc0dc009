import type { RunMaskStore } from "../../runs/output/shared-masks.ts";
import type { Database } from "../sqlite/database.ts";

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
