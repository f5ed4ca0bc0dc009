import { randomBytes } from "node:crypto";
import type { HealthStore } from "../api/health.ts";
import type { Database } from "./database.ts";

/** As much as the largest delivery: where a small write still finds room on a full disk, that one would not. */
const PROBE_BYTES = 256 * 1024;

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
