import { randomBytes } from "node:crypto";
import type { HealthStore } from "../../api/admin/health.ts";
import type { Database } from "../sqlite/database.ts";

export function healthStore(db: Database): HealthStore {
  return {
    async probe(bytes) {
      await db.run(
        "INSERT INTO health (only_row, filler) VALUES (1, $1) ON CONFLICT (only_row) DO UPDATE SET filler = excluded.filler",
        [randomBytes(bytes)],
      );
    },
  };
}
