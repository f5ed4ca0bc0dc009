import { randomBytes } from "node:crypto";
import type { HealthStore } from "../../api/admin/health.ts";
import type { Database } from "../sqlite/database.ts";

/**
 * More than the largest delivery and the pages that a run of it touches: where a smaller write still finds room on a full
 * disk, those would not.
 */
const PROBE_BYTES = 512 * 1024;

export function healthStore(db: Database): HealthStore {
  return {
    async probe() {
      await db.run(
        "INSERT INTO health (only_row, filler) VALUES (1, $1) ON CONFLICT (only_row) DO UPDATE SET filler = excluded.filler",
        [randomBytes(PROBE_BYTES)],
      );
    },
  };
}
