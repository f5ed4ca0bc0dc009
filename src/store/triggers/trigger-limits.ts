import type { NewRun } from "../../runs/run.ts";
import type { TriggerRefusal } from "../../triggers/factory-event.ts";
import { isFamilyFull } from "../runs/run-families.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

/** How many runs of one automation may be on a line of runs that start each other. An automation that starts itself ends there. */
const MAX_OF_AUTOMATION_IN_LINE = 3;

/** The bound that one more run would break. */
export async function refusalOf(
  db: Database,
  { ancestors, automationUid }: NewRun,
): Promise<{ refusal: TriggerRefusal; reason: string } | undefined> {
  if (ancestors.length === 0) return undefined;
  const row = await db.first<{ runs: number }>(
    `SELECT COUNT(*) AS runs FROM runs
     WHERE run_id IN (${placeholders(ancestors.length)}) AND automation_uid = $${ancestors.length + 1}`,
    [...ancestors, automationUid],
  );
  if ((row?.runs ?? 0) >= MAX_OF_AUTOMATION_IN_LINE) {
    const reason = `loop: the automation has already started ${MAX_OF_AUTOMATION_IN_LINE} runs on the way to this one`;
    return { refusal: "loop", reason };
  }
  if (await isFamilyFull(db, ancestors[0] ?? "")) {
    return { refusal: "family", reason: "family: the family has as many runs as a family may have" };
  }
  return undefined;
}
