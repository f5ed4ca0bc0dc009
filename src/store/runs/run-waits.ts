import { newUuid } from "../../id.ts";
import { isDescendant } from "../../runs/rules/family.ts";
import { hasEnded, type RunState } from "../../runs/rules/state.ts";
import {
  MAX_WAITED,
  MAX_WAITING_TURN,
  MAX_WAITS,
  type NewWait,
  type Wait,
  type WaitEnd,
  type WaitedRun,
  type WaitState,
  waitMessage,
  waitStateOf,
} from "../../runs/rules/wait.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { runArtifacts } from "./run-artifacts.ts";
import { addOwnMessage } from "./run-conversation.ts";
import { announce, CHANGED_COLUMNS, type ChangedRun } from "./run-events.ts";
import { openNextTurn } from "./run-moves.ts";
import { RUN_COLUMNS, type RunRow, relativeOf, toRun } from "./run-row.ts";
import { AT_WORK } from "./state-lists.ts";

/** Runs that wait for others and have no agent. Few runs wait, so that they are found by their waits. */
export const RESTING = `
  run_waits JOIN runs ON runs.run_id = run_waits.run_id AND state = 'INPROGRESS' AND lease_expires_at IS NULL`;

/** A run that is about to be waited for. */
type TargetRow = Pick<RunRow, "run_id" | "state" | "factory_uid" | "ancestors" | "execution">;

/** What runs wait for while their agents are alive, and the time limits of waits. */
export function runWaits(
  db: Database,
): Pick<
  RunStore,
  | "wait"
  | "findWaitState"
  | "findIsWaiting"
  | "takeWait"
  | "listWaited"
  | "endOverdueWaits"
  | "findRestingCount"
  | "findNextWaitEnd"
> {
  return {
    async wait(asked, at) {
      if (!(await isAlive(db, asked.runId, asked.turn))) return { refused: "not running" };
      if (asked.turn >= MAX_WAITING_TURN) return { refused: "too often" };
      const found = await targetsOf(db, asked);
      if ("refused" in found) return found;
      const targets = found.rows.map(({ run_id }) => run_id);
      const open = found.rows.filter(({ state }) => !hasEnded(state)).map(({ run_id }) => run_id);
      const { runId, turn, mode, until } = asked;
      await deleteRepeated(db, runId, targets);
      const others = await findStoredWaits(db, runId);
      if (new Set([...(others?.waited ?? []), ...targets]).size > MAX_WAITED) return { refused: "too many" };
      if ((others?.waits.length ?? 0) >= MAX_WAITS) return { refused: "too many waits" };
      const wait = { id: newUuid(), runId, turn, mode, until, targets };
      await record(db, wait, open);
      await showWaits(db, runId, at);
      return { wait, state: waitStateOf(wait, open.length, at) };
    },
    async findWaitState(wait, at) {
      if (!(await isAlive(db, wait.runId, wait.turn))) return undefined;
      return waitStateOf(wait, await countOpen(db, wait.targets), at);
    },
    async findIsWaiting(runId, turn) {
      return (await isAlive(db, runId, turn)) && (await findStoredWaits(db, runId)) !== undefined;
    },
    async takeWait({ id, runId, turn }, results, at) {
      // If the agent has exited, the results begin the next turn of the run.
      if (!(await isAlive(db, runId, turn))) return;
      await recordGiven(db, runId, results);
      await deleteWait(db, runId, id);
      await showWaits(db, runId, at);
    },
    listWaited: (ids) => readWaited(db, ids),
    async endOverdueWaits(at, limit) {
      const overdue = await db.all<{ run_id: string }>(
        `SELECT run_waits.run_id FROM ${RESTING} WHERE until <= $1
         GROUP BY run_waits.run_id ORDER BY MIN(until) LIMIT $2`,
        [at, limit],
      );
      for (const { run_id } of overdue) await resume(db, run_id, at);
      return overdue.length;
    },
    async findRestingCount() {
      return (
        (await db.first<{ runs: number }>(`SELECT COUNT(DISTINCT run_waits.run_id) AS runs FROM ${RESTING}`))
          ?.runs ?? 0
      );
    },
    async findNextWaitEnd() {
      const next = await db.first<{ until: string }>("SELECT until FROM run_waits ORDER BY until LIMIT 1");
      return next?.until;
    },
  };
}

/** Whether the agent of a turn is alive. */
async function isAlive(db: Database, runId: string, turn: number): Promise<boolean> {
  const run = await db.first(
    `SELECT 1 FROM runs
     WHERE run_id = $1 AND turn = $2 AND ${AT_WORK}`,
    [runId, turn],
  );
  return run !== undefined;
}

/** A client that gave up on a call sends it again: its wait is for the same runs. */
async function deleteRepeated(db: Database, runId: string, targets: readonly string[]): Promise<void> {
  await db.run("DELETE FROM run_waits WHERE run_id = $1 AND targets = $2", [runId, JSON.stringify(targets)]);
}

async function record(
  db: Database,
  { id, runId, mode, until, targets }: Wait,
  open: readonly string[],
): Promise<void> {
  await db.run("INSERT INTO run_waits (wait_id, run_id, mode, until, targets) VALUES ($1, $2, $3, $4, $5)", [
    id,
    runId,
    mode,
    until,
    JSON.stringify(targets),
  ]);
  for (const target of targets) {
    await db.run(
      `INSERT INTO run_wait_targets (run_id, target_id, is_open) VALUES ($1, $2, $3)
       ON CONFLICT (run_id, target_id) DO UPDATE SET is_open = excluded.is_open`,
      [runId, target, open.includes(target) ? 1 : 0],
    );
  }
}

/** How many of the runs have not ended. Runs that were deleted have. */
async function countOpen(db: Database, ids: readonly string[]): Promise<number> {
  const rows = await db.all<{ state: RunState }>(
    `SELECT state FROM runs WHERE run_id IN (${placeholders(ids.length)})`,
    [...ids],
  );
  return rows.filter(({ state }) => !hasEnded(state)).length;
}

type Targets =
  | { rows: TargetRow[] }
  | { refused: "no children" | "too many" }
  | { refused: "not below"; ids: readonly string[] };

/** The runs to wait for. A run can only wait for its descendants, so no two runs wait for each other. */
async function targetsOf(db: Database, { runId, targets }: NewWait): Promise<Targets> {
  const run = await db.first<Pick<RunRow, "factory_uid">>("SELECT factory_uid FROM runs WHERE run_id = $1", [
    runId,
  ]);
  // Their results are given to the agent of the run, which sees no others.
  const isBelow = (row: TargetRow) =>
    isDescendant(relativeOf(row), { id: runId, factoryUid: run?.factory_uid ?? null });
  if (!targets) return childrenOf(db, runId, isBelow);
  const ids = [...new Set(targets)].sort();
  if (ids.length > MAX_WAITED) return { refused: "too many" };
  const rows = await db.all<TargetRow>(
    `SELECT run_id, state, factory_uid, ancestors, execution FROM runs WHERE run_id IN (${placeholders(ids.length)}) ORDER BY run_id`,
    ids,
  );
  const below = rows.filter(isBelow);
  const missing = ids.filter((id) => !below.some(({ run_id }) => run_id === id));
  return missing.length > 0 ? { refused: "not below", ids: missing } : { rows: below };
}

/** The children whose results the run was not given. If it was given all, all of its children: the agent may have lost a response. */
async function childrenOf(
  db: Database,
  runId: string,
  isBelow: (row: TargetRow) => boolean,
): Promise<Targets> {
  const found = await db.all<TargetRow & { turn: number; told_turn: number | null }>(
    `SELECT runs.run_id, state, factory_uid, ancestors, execution, turn, told_turn FROM runs
       LEFT JOIN run_wait_targets ON run_wait_targets.run_id = $1 AND target_id = runs.run_id
     WHERE ${CHILDREN} ORDER BY runs.run_id`,
    [runId, `%"${runId}"]`],
  );
  const rows = found.filter(isBelow);
  if (rows.length === 0) return { refused: "no children" };
  const untold = rows.filter(({ state, turn, told_turn }) => !hasEnded(state) || (told_turn ?? 0) < turn);
  const chosen = untold.length > 0 ? untold : rows.slice(-MAX_WAITED);
  return chosen.length > MAX_WAITED ? { refused: "too many" } : { rows: chosen };
}

/** Of the run $1, whose id is the last in the text of their ancestors. */
const CHILDREN = `
  family_id = COALESCE((SELECT family_id FROM runs WHERE run_id = $1), $1) AND runs.run_id > $1 AND ancestors LIKE $2`;

/** All waits of a run. */
interface StoredWaits {
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
function stateOfAll({ waits, open }: StoredWaits, at: string): WaitState {
  const states = waits.map((wait) => {
    const left = wait.targets.filter((id) => open.includes(id)).length;
    return waitStateOf(wait, left, at);
  });
  if (states.every((state) => state === "done")) return "done";
  // Also the limit of a wait that is done counts: a limit in the past that changes nothing would be looked at for ever.
  return waits.some(({ until }) => until <= at) ? "timed_out" : "waiting";
}

/** Deletes a wait of a run. Runs that are in no other wait are waited for no more. */
async function deleteWait(db: Database, runId: string, waitId: string): Promise<void> {
  await db.run("DELETE FROM run_waits WHERE run_id = $1 AND wait_id = $2", [runId, waitId]);
  const { waited = [], open = [] } = (await findStoredWaits(db, runId)) ?? {};
  for (const target of open.filter((id) => !waited.includes(id))) await closeTarget(db, runId, target);
}

/** Records that a run has ended for the run that waits for it, or is waited for no more. */
async function closeTarget(db: Database, runId: string, target: string): Promise<void> {
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
async function recordGiven(db: Database, runId: string, results: readonly WaitedRun[]): Promise<void> {
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
async function showWaits(db: Database, runId: string, at: string): Promise<void> {
  const waits = await findStoredWaits(db, runId);
  const [run] = await db.all<ChangedRun>(
    `UPDATE runs SET waiting_for = $1, updated_at = $2 WHERE run_id = $3 RETURNING ${CHANGED_COLUMNS}`,
    [waits ? JSON.stringify(waits.open) : null, at, runId],
  );
  if (run) await announce(db, run, at);
}

/** Runs in the order of the ids, with their artifacts. */
async function readWaited(db: Database, ids: readonly string[]): Promise<WaitedRun[]> {
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

/**
 * Ends the waits for a run that has ended, in the transaction of its end. Call it for every run with ancestors that has
 * moved to a state in which nothing is left to do, and does not begin another turn at once. A run is waited for by its
 * ancestors only, so that the end of any other run costs nothing.
 */
export async function tellWaiting(db: Database, endedId: string, at: string): Promise<void> {
  const waiting = await db.all<{ run_id: string }>(
    "SELECT run_id FROM run_wait_targets WHERE target_id = $1 AND is_open = 1 ORDER BY run_id",
    [endedId],
  );
  for (const { run_id } of waiting) {
    await closeTarget(db, run_id, endedId);
    await showWaits(db, run_id, at);
    await resume(db, run_id, at);
  }
}

/** Begins the next turn of a run that rests, with the results as a message, if its waits are over. */
export async function resume(db: Database, runId: string, at: string): Promise<void> {
  const waits = await findStoredWaits(db, runId);
  const state = waits && stateOfAll(waits, at);
  if (!waits || state === undefined || state === "waiting" || !(await rests(db, runId))) return;
  await say(db, waits, state, at);
  await openNextTurn(db, runId, at);
}

/** Ends the waits of a run because a message begins its next turn. */
export async function interruptWaits(
  db: Database,
  runId: string,
  end: "message" | "answer",
  at: string,
): Promise<void> {
  const waits = await findStoredWaits(db, runId);
  if (waits) await say(db, waits, stateOfAll(waits, at) === "done" ? "done" : end, at);
}

async function rests(db: Database, runId: string): Promise<boolean> {
  const run = await db.first<{ state: RunState; lease_expires_at: string | null }>(
    "SELECT state, lease_expires_at FROM runs WHERE run_id = $1",
    [runId],
  );
  return run?.state === "INPROGRESS" && run.lease_expires_at === null;
}

async function say(db: Database, { run_id, waited }: StoredWaits, end: WaitEnd, at: string): Promise<void> {
  const results = await readWaited(db, waited);
  await recordGiven(db, run_id, results);
  await dropWaits(db, run_id);
  await addOwnMessage(db, run_id, waitMessage(end, results), at);
}
