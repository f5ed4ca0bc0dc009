import type { Firing, ScheduleStore } from "../../schedules/schedule.ts";
import { insertRun } from "../runs/insert-run.ts";
import type { Database } from "../sqlite/database.ts";

/** Due times that have fired, and the runs that they made. */
export function scheduleFirings(db: Database): Pick<ScheduleStore, "fire" | "pruneFirings"> {
  return {
    async fire(firing, at) {
      if (firing.schedule && !(await isAsRead(db, firing.schedule))) return "changed";
      const { key, dueAt, result } = firing;
      const run = "run" in result ? result.run : null;
      // The primary key decides who is first, also between two looks at the clock that come at once.
      const isNew = await db.run(
        "INSERT INTO schedule_firings (key, due_at, run_id) VALUES ($1, $2, $3) ON CONFLICT (key, due_at) DO NOTHING",
        [key, dueAt, run?.id ?? null],
      );
      if (isNew === 0) return "before";
      if (run) await insertRun(db, run, null, at);
      if (firing.schedule) await noteResult(db, firing.schedule.id, result, at);
      return "fired";
    },
    pruneFirings: (before, limit) =>
      db.run(
        `DELETE FROM schedule_firings WHERE (key, due_at) IN (
           SELECT key, due_at FROM schedule_firings AS old
           WHERE due_at < $1 AND due_at < (SELECT MAX(due_at) FROM schedule_firings WHERE key = old.key)
           ORDER BY due_at LIMIT $2)`,
        [before, limit],
      ),
  };
}

async function isAsRead(db: Database, { id, updatedAt }: NonNullable<Firing["schedule"]>): Promise<boolean> {
  const row = await db.first(
    "SELECT schedule_id FROM schedules WHERE schedule_id = $1 AND enabled = 1 AND updated_at = $2",
    [id, updatedAt],
  );
  return row !== undefined;
}

/** A schedule remembers its last run and, until the next one, why there was none. */
async function noteResult(db: Database, id: string, result: Firing["result"], at: string): Promise<void> {
  if ("run" in result) {
    await db.run("UPDATE schedules SET last_ran = $1, last_spawn_error = NULL WHERE schedule_id = $2", [
      at,
      id,
    ]);
  } else {
    await db.run("UPDATE schedules SET last_spawn_error = $1 WHERE schedule_id = $2", [result.error, id]);
  }
}
