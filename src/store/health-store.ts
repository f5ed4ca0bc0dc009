import type { HealthStore } from "../api/health.ts";
import type { Database } from "./database.ts";

export function healthStore(db: Database): HealthStore {
  return {
    async probe() {
      await db.run("UPDATE sealing SET check_value = check_value");
    },
  };
}
