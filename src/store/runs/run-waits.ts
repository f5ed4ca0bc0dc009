import { newUuid } from "../../id.ts";
import { isDescendant } from "../../runs/rules/family.ts";
import { hasEnded, type RunState } from "../../runs/rules/state.ts";
import {
  MAX_WAITED,
  MAX_WAITING_TURN,
  MAX_WAITS,
  type NewWait,
  type Wait,
  waitStateOf,
} from "../../runs/rules/wait.ts";
import type { RunStore } from "../../runs/run.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { type RunRow, relativeOf } from "./run-row.ts";
import { AT_WORK } from "./state-lists.ts";
import { deleteWait, findStoredWaits, readWaited, recordGiven, showWaits } from "./stored-waits.ts";
import { resume } from "./wait-ends.ts";

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
