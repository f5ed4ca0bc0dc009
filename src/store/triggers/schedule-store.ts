import { isAnother } from "../../concurrency/record-tag.ts";
import type { Firing, Schedule, ScheduleStore } from "../../runs/schedules/schedule.ts";
import { insertRun } from "../runs/insert-run.ts";
import type { Database } from "../sqlite/database.ts";

interface ScheduleRow {
  schedule_id: string;
  factory_uid: string | null;
  agent_uid: string | null;
  name: string;
  cron_schedule: string;
  timezone: string;
  prompt: string;
  agent_config: string | null;
  enabled: number;
  created_by: string;
  updated_by: string;
  created_at: string;
  updated_at: string;
  last_ran: string | null;
  last_spawn_error: string | null;
  /** JSON. */
  metadata: string;
}

const SELECT = `
  SELECT schedule_id, factory_uid, agent_uid, name, cron_schedule, timezone, prompt, agent_config, enabled, created_by, updated_by,
         created_at, updated_at, last_ran, last_spawn_error, metadata
  FROM schedules`;

export function scheduleStore(db: Database): ScheduleStore {
  const find = async (id: string) => {
    const row = await db.first<ScheduleRow>(`${SELECT} WHERE schedule_id = $1`, [id]);
    return row && toSchedule(row);
  };

  return {
    async list() {
      return (await db.all<ScheduleRow>(`${SELECT} ORDER BY name, schedule_id`)).map(toSchedule);
    },
    find,
    async create(schedule) {
      await db.run(
        `INSERT INTO schedules (schedule_id, factory_uid, agent_uid, name, cron_schedule, prompt, agent_config, enabled,
           created_by, updated_by, created_at, updated_at, metadata, timezone)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          schedule.id,
          schedule.factoryUid,
          schedule.agentUid,
          schedule.name,
          schedule.cron,
          schedule.prompt,
          schedule.agentConfig && JSON.stringify(schedule.agentConfig),
          schedule.enabled ? 1 : 0,
          JSON.stringify(schedule.createdBy),
          JSON.stringify(schedule.updatedBy),
          schedule.createdAt,
          schedule.updatedAt,
          JSON.stringify(schedule.metadata),
          schedule.timezone,
        ],
      );
    },
    async update(id, { changes, editor, at, expected }) {
      const before = await find(id);
      if (!before) return undefined;
      if (isAnother(before, expected)) return "changed";
      const { name, cron, timezone, prompt, agentConfig, enabled, metadata, factoryUid, agentUid } = {
        ...before,
        ...changes,
      };
      await db.run(
        `UPDATE schedules
         SET name = $1, cron_schedule = $2, prompt = $3, agent_config = $4, enabled = $5, updated_by = $6, updated_at = $7,
           metadata = $8, factory_uid = $9, agent_uid = $10, timezone = $11
         WHERE schedule_id = $12`,
        [
          name,
          cron,
          prompt,
          agentConfig && JSON.stringify(agentConfig),
          enabled ? 1 : 0,
          JSON.stringify(editor),
          at,
          JSON.stringify(metadata),
          factoryUid,
          agentUid,
          timezone,
          id,
        ],
      );
      return find(id);
    },
    async remove(id, expected) {
      const before = await find(id);
      if (before && isAnother(before, expected)) return "changed";
      return (await db.run("DELETE FROM schedules WHERE schedule_id = $1", [id])) > 0;
    },
    ...scheduleFirings(db),
  };
}

function toSchedule(row: ScheduleRow): Schedule {
  return {
    id: row.schedule_id,
    factoryUid: row.factory_uid,
    agentUid: row.agent_uid,
    name: row.name,
    cron: row.cron_schedule,
    timezone: row.timezone,
    prompt: row.prompt,
    agentConfig: row.agent_config === null ? null : JSON.parse(row.agent_config),
    enabled: row.enabled === 1,
    createdBy: JSON.parse(row.created_by),
    updatedBy: JSON.parse(row.updated_by),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastRan: row.last_ran,
    lastSpawnError: row.last_spawn_error,
    metadata: JSON.parse(row.metadata),
  };
}

/** Due times that have fired, and the runs that they made. */
function scheduleFirings(db: Database): Pick<ScheduleStore, "fire" | "pruneFirings"> {
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
