import { type Dismissal, dismissedMessage, type EndedMember } from "../../runs/rules/family.ts";
import { MOVES } from "../../runs/rules/state.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { Database } from "../sqlite/database.ts";
import type { EventDetails } from "./run-events.ts";
import { moveRuns } from "./run-moves.ts";
import type { RunRow } from "./run-row.ts";
import { dropWaits, tellWaiting } from "./run-waits.ts";

/** How runs are ended by who is not their agent: at once where no worker has them, else when their agent is gone. */
export function runCancellations(db: Database): Pick<RunStore, "cancel" | "dismiss"> {
  return {
    async cancel(id, at) {
      const before = await db.first<HeldRun>(`SELECT ${HELD_COLUMNS} FROM runs WHERE run_id = $1`, [id]);
      if (
        before?.state === "QUEUED" ||
        (before?.state === "INPROGRESS" && before.lease_expires_at === null)
      ) {
        await cancelUnheld(db, id, before.has_parent === 1, at);
        return before.state;
      }
      await db.run(
        `UPDATE runs SET cancel_requested_at = $1
         WHERE run_id = $2 AND state IN ('CLAIMED', 'INPROGRESS') AND cancel_requested_at IS NULL`,
        [at, id],
      );
      return before?.state;
    },
    async dismiss(id, dismissal, at) {
      const before = await db.first<HeldRun>(`SELECT ${HELD_COLUMNS} FROM runs WHERE run_id = $1`, [id]);
      if (before?.state !== "BLOCKED") return before?.state;
      if (before.lease_expires_at === null) await dismissResting(db, id, dismissal, at);
      else {
        await db.run(
          "UPDATE runs SET cancel_requested_at = $1, dismissal = $2 WHERE run_id = $3 AND cancel_requested_at IS NULL",
          [at, JSON.stringify(dismissal), id],
        );
      }
      return before.state;
    },
  };
}

/** What is read of a run to end it with others. Prompts and configurations can be long. */
export const ENDING_COLUMNS = "run_id, factory_uid, automation_uid, state, lease_expires_at";
export type EndingRow = Pick<
  RunRow,
  "run_id" | "factory_uid" | "automation_uid" | "state" | "lease_expires_at"
>;

/** Ends one of several runs that have not ended: one that waits for an answer is dismissed, and all others are cancelled. */
export async function endRun(
  ending: Pick<RunStore, "cancel" | "dismiss">,
  row: EndingRow,
  dismissal: Dismissal,
  at: string,
): Promise<EndedMember> {
  const { run_id: id, factory_uid: factoryUid, automation_uid: automationUid, state } = row;
  if (state === "BLOCKED") await ending.dismiss(id, dismissal, at);
  else await ending.cancel(id, at);
  return { run: { id, factoryUid, automationUid, isLeased: row.lease_expires_at !== null }, state };
}

/** A run as it is ended from outside. */
interface HeldRun {
  state: Run["state"];
  lease_expires_at: string | null;
  has_parent: number;
}

const HELD_COLUMNS = "state, lease_expires_at, family_id IS NOT NULL AS has_parent";

/** Cancels a run that no worker has: one that waits for a turn, or for other runs. */
async function cancelUnheld(db: Database, id: string, hasParent: boolean, at: string): Promise<void> {
  const set = "cancel_requested_at = $1, finished_at = $1";
  await moveRuns(db, MOVES.cancel, { set, where: "run_id = $2", values: [id] }, at);
  await dropWaits(db, id);
  if (hasParent) await tellWaiting(db, id, at);
}

/** Ends a blocked run whose agent has ended. */
async function dismissResting(db: Database, id: string, dismissal: Dismissal, at: string): Promise<void> {
  await moveRuns(
    db,
    MOVES.dismiss,
    {
      set: "status_message = $2, cancel_requested_at = $1, finished_at = $1",
      where: "run_id = $3 AND lease_expires_at IS NULL",
      values: [JSON.stringify(dismissedMessage(dismissal)), id],
      told: eventOfDismissal(dismissal),
    },
    at,
  );
  await dropWaits(db, id);
  await tellWaiting(db, id, at);
}

/** What the timeline tells of a dismissal. */
export function eventOfDismissal({ by, reason }: Dismissal): EventDetails {
  return { by: by.displayName, ...(reason === undefined ? {} : { reason }) };
}
