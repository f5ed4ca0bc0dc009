import { hasEnded } from "../../runs/rules/state.ts";
import { type Wait, type WaitedRun, type WaitState, waitStateOf } from "../../runs/rules/wait.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { runArtifacts } from "./run-artifacts.ts";
import { announce, CHANGED_COLUMNS, type ChangedRun } from "./run-events.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "./run-row.ts";

/** All waits of a run. */
export interface StoredWaits {
  run_id: string;
  waits: readonly Pick<Wait, "id" | "mode" | "until" | "targets">[];
  /** The runs of all waits, sorted. */
  waited: readonly string[];
  /** Those of them that have not ended since they were waited for. */
  open: readonly string[];
}

/** The waits of a run, oldest first; nothing for one without a wait. */
export async function findStoredWaits(db: Database, runId: string): Promise<StoredWaits | undefined> {
  const rows = await db.all<{ id: string; mode: Wait["mode"]; until: string; targets: string }>(
    "SELECT wait_id AS id, mode, until, targets FROM run_waits WHERE run_id = $1 ORDER BY wait_id",
    [runId],
  );
  if (rows.length === 0) return undefined;
  const waits = rows.map((row) => ({ ...row, targets: JSON.parse(row.targets) as string[] }));
  const waited = [...new Set(waits.flatMap(({ targets }) => targets))].sort();
  const targets = await db.all<{ target_id: string }>(
    "SELECT target_id FROM run_wait_targets WHERE run_id = $1 AND is_open = 1 ORDER BY target_id",
    [runId],
  );
  return { run_id: runId, waits, waited, open: targets.map(({ target_id }) => target_id) };
}

/** How the waits of a run stand together: done when all are, and timed out at the first time limit. */
export function stateOfAll({ waits, open }: StoredWaits, at: string): WaitState {
  const states = waits.map((wait) => {
    const left = wait.targets.filter((id) => open.includes(id)).length;
    return waitStateOf(wait, left, at);
  });
  if (states.every((state) => state === "done")) return "done";
  // Also the limit of a wait that is done counts: a limit in the past that changes nothing would be looked at for ever.
  return waits.some(({ until }) => until <= at) ? "timed_out" : "waiting";
}

/** Deletes a wait of a run. Runs that are in no other wait are waited for no more. */
export async function deleteWait(db: Database, runId: string, waitId: string): Promise<void> {
  await db.run("DELETE FROM run_waits WHERE run_id = $1 AND wait_id = $2", [runId, waitId]);
  const { waited = [], open = [] } = (await findStoredWaits(db, runId)) ?? {};
  for (const target of open.filter((id) => !waited.includes(id))) await closeTarget(db, runId, target);
}

/** Records that a run has ended for the run that waits for it, or is waited for no more. */
export async function closeTarget(db: Database, runId: string, target: string): Promise<void> {
  await db.run("UPDATE run_wait_targets SET is_open = 0 WHERE run_id = $1 AND target_id = $2", [
    runId,
    target,
  ]);
}

/** Forgets the waits of a run whose turn has failed, or that was cancelled. It can ask again for results that it was not given. */
export async function dropWaits(db: Database, runId: string): Promise<void> {
  await db.run("DELETE FROM run_waits WHERE run_id = $1", [runId]);
  await db.run("UPDATE run_wait_targets SET is_open = 0 WHERE run_id = $1", [runId]);
  await db.run("UPDATE runs SET waiting_for = NULL WHERE run_id = $1", [runId]);
}

/** Records which results a run was given, so that its next wait for all of its children leaves them out. */
export async function recordGiven(db: Database, runId: string, results: readonly WaitedRun[]): Promise<void> {
  for (const { id, run } of results) {
    if (!run || !hasEnded(run.state)) continue;
    await db.run("UPDATE run_wait_targets SET told_turn = $1 WHERE run_id = $2 AND target_id = $3", [
      run.turn,
      runId,
      id,
    ]);
  }
}

/** Shows in the run which runs it still waits for, and announces that. */
export async function showWaits(db: Database, runId: string, at: string): Promise<void> {
  const waits = await findStoredWaits(db, runId);
  const [run] = await db.all<ChangedRun>(
    `UPDATE runs SET waiting_for = $1, updated_at = $2 WHERE run_id = $3 RETURNING ${CHANGED_COLUMNS}`,
    [waits ? JSON.stringify(waits.open) : null, at, runId],
  );
  if (run) await announce(db, run, at);
}

/** Runs in the order of the ids, with their artifacts. */
export async function readWaited(db: Database, ids: readonly string[]): Promise<WaitedRun[]> {
  if (ids.length === 0) return [];
  const rows = await db.all<RunRow>(
    `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id IN (${placeholders(ids.length)})`,
    [...ids],
  );
  const runs = new Map(rows.map((row) => [row.run_id, toRun(row)]));
  const artifacts = await runArtifacts(db).listArtifacts(ids);
  return ids.map((id) => {
    const run = runs.get(id);
    return { id, ...(run ? { run } : {}), artifacts: artifacts[id] ?? [] };
  });
}
