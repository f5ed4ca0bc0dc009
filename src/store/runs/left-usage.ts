import { newUuid } from "../../id.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

/** What the runs belonged to, where an earlier version has not noted it. */
const OWNERS = ["factory_uid", "automation_uid", "agent_uid"]
  .map(
    (owner) =>
      `${owner} = COALESCE(run_usage.${owner}, (SELECT ${owner} FROM runs WHERE runs.run_id = run_usage.run_id))`,
  )
  .join(", ");

/** The characters of an id that tell its time. */
const TIME_LENGTH = "01a1fe22-6744".length;

/**
 * What runs have used stays in the sums when they go, before which this is called: it says itself what they belonged to, and nothing
 * tells any more which runs they were. Their order stays.
 */
export async function leaveUsage(db: Database, runIds: readonly string[]): Promise<void> {
  const listed = placeholders(runIds.length);
  await db.run(
    `UPDATE run_usage SET run_is_gone = 1, source = COALESCE(source, 'harness'), ${OWNERS} WHERE run_id IN (${listed})`,
    [...runIds],
  );
  // Of turns that an earlier version has seen, only the usage is there.
  await db.run(
    `INSERT INTO run_turns (run_id, turn, factory_uid, automation_uid, agent_uid, used_at, has_usage, is_last)
     SELECT run_id, MAX(turn), MAX(factory_uid), MAX(automation_uid), MAX(agent_uid), MAX(reported_at), 1, 1 FROM run_usage
     WHERE run_id IN (${listed}) AND NOT EXISTS (SELECT 1 FROM run_turns t WHERE t.run_id = run_usage.run_id)
     GROUP BY run_id`,
    [...runIds],
  );
  await db.run(`UPDATE run_turns SET run_is_gone = 1 WHERE run_id IN (${listed})`, [...runIds]);
  const names = runIds.map((id) => id.slice(0, TIME_LENGTH) + newUuid().slice(TIME_LENGTH));
  const renamed = runIds.map((_, index) => `WHEN $${index + 1} THEN $${runIds.length + index + 1}`).join(" ");
  for (const table of ["run_usage", "run_turns"]) {
    await db.run(
      `UPDATE ${table} SET run_id = CASE run_id ${renamed} ELSE run_id END WHERE run_id IN (${listed})`,
      [...runIds, ...names],
    );
  }
}
