import { isAnother } from "../../concurrency/record-tag.ts";
import type { Schedule, ScheduleStore } from "../../schedules/schedule.ts";
import type { Database } from "../sqlite/database.ts";
import { scheduleFirings } from "./schedule-firings.ts";

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
