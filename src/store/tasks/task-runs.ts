import type { CurrentRun, TaskStore } from "../../tasks/task.ts";
import { ARTIFACT_COLUMNS, type ArtifactRow, toArtifact } from "../runs/run-artifacts.ts";
import { RUN_COLUMNS, type RunRow, toRuns } from "../runs/run-row.ts";
import { ENDED } from "../runs/state-lists.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

interface CurrentRow {
  task_uid: string;
  run_id: string;
  state: CurrentRun["state"];
  executor: string;
}

const CURRENT = "task_uid, run_id, state, COALESCE(executor, creator) AS executor";

/** What the runs of tasks do, and have made. */
export function taskRuns(db: Database): Pick<TaskStore, "listRuns" | "listCurrentRuns" | "listOutputs"> {
  return {
    async listRuns(uid, { after, limit }) {
      const rows = await db.all<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM runs WHERE task_uid = $1 AND run_id > $2 ORDER BY run_id LIMIT $3`,
        [uid, after ?? "", limit],
      );
      return toRuns(rows);
    },
    async listCurrentRuns(uids) {
      if (uids.length === 0) return { current: [], blocked: [] };
      const listed = placeholders(uids.length);
      const newest = (where: string) =>
        db.all<CurrentRow>(
          `SELECT ${CURRENT} FROM runs WHERE run_id IN (
             SELECT MAX(run_id) FROM runs WHERE task_uid IN (${listed}) ${where} GROUP BY task_uid)`,
          uids,
        );
      const [last, open, blocked] = [
        await newest(""),
        await newest(`AND state NOT IN (${ENDED})`),
        await newest("AND state = 'BLOCKED'"),
      ];
      const byTask = new Map([...last, ...open].map((row) => [row.task_uid, row]));
      return { current: [...byTask.values()].map(toCurrent), blocked: blocked.map(toCurrent) };
    },
    async listOutputs(uid, limit) {
      const rows = await db.all<ArtifactRow>(
        `SELECT ${ARTIFACT_COLUMNS} FROM run_artifacts WHERE run_id IN (SELECT run_id FROM runs WHERE task_uid = $1)
         ORDER BY artifact_uid DESC LIMIT $2`,
        [uid, limit],
      );
      return rows.map(toArtifact);
    },
  };
}

function toCurrent({ task_uid, run_id, state, executor }: CurrentRow): CurrentRun {
  return { taskUid: task_uid, runId: run_id, state, agent: JSON.parse(executor).displayName };
}
