import { newUuid } from "../../id.ts";
import type { CostedUsage, TurnUsage, UsageSource } from "../../runs/output/usage.ts";
import { tokensOf } from "../../runs/rules/budget.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { noteAnswer } from "./hold-store.ts";
import { addSpend, findOverBudget, findRunOver, listFamilyCosts } from "./spend.ts";

interface UsageRow {
  run_id: string;
  turn: number;
  model: string;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost_usd: number | null;
  cost_source: TurnUsage["costSource"];
  /** Null in rows of an earlier version. */
  source: TurnUsage["source"] | null;
  reported_at: string;
}

/** What turns have used: models, as programs tell it or as it was measured, and the machine. */
export function runUsage(
  db: Database,
): Pick<
  RunStore,
  | "keepUsage"
  | "keepResources"
  | "findOverBudget"
  | "listUsage"
  | "listFamilyCosts"
  | "listTurnWork"
  | "forgetUsage"
> {
  const findClaimed = ({ id, ticket }: { id: string; ticket: number }) =>
    db.first<OwnedTurn & FamilyOf>(
      `SELECT r.run_id, r.turn, r.factory_uid, r.automation_uid, r.agent_uid, COALESCE(r.family_id, '') AS family_id,
         COALESCE(CASE WHEN root.factory_uid = r.factory_uid THEN root.automation_uid END, r.root_automation_uid) AS paying_uid,
         ${ROOTS} FROM runs r LEFT JOIN runs root ON root.run_id = r.family_id
       WHERE r.run_id = $1 AND r.ticket = $2`,
      [id, ticket],
    );
  return {
    async keepUsage(claim, usage, source, at, budget) {
      const run = await findClaimed(claim);
      if (!run) return undefined;
      const { id } = claim;
      if (await isLessThanKnown(db, run, usage, source))
        return budget && findOverBudget(db, id, [], budget, at);
      const before = await findCost(db, id, run.turn);
      // All of the turn is told each time, at last perhaps under more exact names of the models.
      await db.run("DELETE FROM run_usage WHERE run_id = $1 AND turn = $2", [id, run.turn]);
      for (const each of usage) {
        const { model, inputTokens, outputTokens, cachedTokens, costUsd, costSource } = each;
        await db.run(
          `INSERT INTO run_usage
             (run_id, turn, model, input_tokens, output_tokens, cached_tokens, cost_usd, cost_source, source, reported_at,
              factory_uid, automation_uid, agent_uid, family_id, root_factory_uid, root_automation_uid, root_agent_uid,
              is_last)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 1)
           ON CONFLICT (run_id, turn, model) DO UPDATE SET
             input_tokens = run_usage.input_tokens + excluded.input_tokens,
             output_tokens = run_usage.output_tokens + excluded.output_tokens,
             cached_tokens = run_usage.cached_tokens + excluded.cached_tokens,
             cost_usd = COALESCE(run_usage.cost_usd + excluded.cost_usd, run_usage.cost_usd, excluded.cost_usd),
             cost_source = COALESCE(run_usage.cost_source, excluded.cost_source),
             source = CASE WHEN excluded.source = 'estimate' THEN excluded.source ELSE run_usage.source END`,
          [
            ...[
              id,
              run.turn,
              model,
              inputTokens,
              outputTokens,
              cachedTokens,
              costUsd,
              costSource,
              each.isEstimate ? "estimate" : source,
              at,
            ],
            ...[run.factory_uid, run.automation_uid, run.agent_uid],
            ...[run.family_id, run.root_factory_uid, run.root_automation_uid, run.root_agent_uid],
          ],
        );
      }
      if (run.turn > 1) await markLast(db, run);
      await keepTurnUse(db, run, { hasUsage: true }, at);
      const owners = [run.factory_uid, run.agent_uid, run.automation_uid, run.paying_uid];
      await addSpend(db, owners, (await findCost(db, id, run.turn)) - before, at);
      if (usage.some(({ outputTokens }) => outputTokens > 0)) await noteAnswer(db, id, at);
      return budget && findOverBudget(db, id, usage, budget, at);
    },
    async keepResources(claim, resources, at) {
      const run = await findClaimed(claim);
      if (run) await keepTurnUse(db, run, resources, at);
    },
    findOverBudget: (id, budget) => findRunOver(db, id, budget, true),
    listFamilyCosts: (rootIds, within) => listFamilyCosts(db, rootIds, within),
    async listUsage(runIds) {
      const rows = await listOf<UsageRow>(
        db,
        "run_usage",
        "model, input_tokens, output_tokens, cached_tokens, cost_usd, cost_source, source, reported_at",
        runIds,
      );
      return byRun(runIds, rows, toUsage);
    },
    async listTurnWork(runIds) {
      const rows = await listOf<WorkRow>(db, "run_turns", "worked_ms, cpu_ms, peak_memory_bytes", runIds);
      return byRun(runIds, rows, ({ turn, worked_ms, cpu_ms, peak_memory_bytes }) => {
        return { turn, workedMs: worked_ms, cpuMs: cpu_ms, peakMemoryBytes: peak_memory_bytes };
      });
    },
    async forgetUsage(before, limit) {
      const usage = await db.run(
        `DELETE FROM run_usage WHERE (run_id, turn, model) IN (
           SELECT run_id, turn, model FROM run_usage WHERE run_is_gone = 1 AND reported_at < $1
           ORDER BY reported_at LIMIT $2)`,
        [before, limit],
      );
      const turns = await db.run(
        `DELETE FROM run_turns WHERE (run_id, turn) IN (
           SELECT run_id, turn FROM run_turns WHERE run_is_gone = 1 AND used_at < $1 ORDER BY used_at LIMIT $2)`,
        [before, limit],
      );
      return Math.max(usage, turns);
    },
  };
}

/** Says of the usage of earlier turns whether a later one has used the model as well: which ones that are changes as they are told. */
async function markLast(db: Database, { run_id, turn }: OwnedTurn): Promise<void> {
  await db.run(
    `UPDATE run_usage SET is_last = CASE WHEN EXISTS (
       SELECT 1 FROM run_usage later
       WHERE later.run_id = $1 AND later.model = run_usage.model AND later.turn > run_usage.turn) THEN 0 ELSE 1 END
     WHERE run_id = $1 AND turn < $2`,
    [run_id, turn],
  );
}

/** Whether the other source has told more of a turn; where both tell the same, it is the program that knows its models better. */
async function isLessThanKnown(
  db: Database,
  { run_id, turn }: OwnedTurn,
  usage: readonly CostedUsage[],
  source: UsageSource,
): Promise<boolean> {
  // In rows of an earlier version, the program has told it.
  const known = await db.first<{ tokens: number | null }>(
    `SELECT SUM(input_tokens + output_tokens) AS tokens FROM run_usage
     WHERE run_id = $1 AND turn = $2 AND COALESCE(source, 'harness') ${source === "harness" ? "<>" : "="} 'harness'`,
    [run_id, turn],
  );
  if (known?.tokens == null) return false;
  const more = Number(known.tokens) - tokensOf(usage);
  return source === "harness" ? more > 0 : more >= 0;
}

interface WorkRow {
  run_id: string;
  turn: number;
  worked_ms: number | null;
  cpu_ms: number | null;
  peak_memory_bytes: number | null;
}

async function listOf<Row>(
  db: Database,
  table: "run_usage" | "run_turns",
  columns: string,
  runIds: readonly string[],
): Promise<Row[]> {
  if (runIds.length === 0) return [];
  return db.all<Row>(
    `SELECT run_id, turn, ${columns} FROM ${table}
     WHERE run_id IN (${placeholders(runIds.length)}) ORDER BY run_id, turn${table === "run_usage" ? ", model" : ""}`,
    [...runIds],
  );
}

function byRun<Row extends { run_id: string }, Found>(
  runIds: readonly string[],
  rows: readonly Row[],
  read: (row: Row) => Found,
): Record<string, Found[]> {
  const found: Record<string, Found[]> = Object.fromEntries(runIds.map((id) => [id, []]));
  for (const row of rows) found[row.run_id]?.push(read(row));
  return found;
}

/** What a turn has cost so far, as far as it is known. */
async function findCost(db: Database, id: string, turn: number): Promise<number> {
  const row = await db.first<{ usd: number | null }>(
    "SELECT SUM(cost_usd) AS usd FROM run_usage WHERE run_id = $1 AND turn = $2",
    [id, turn],
  );
  return row?.usd ?? 0;
}

function toUsage(row: UsageRow): TurnUsage {
  const { cost_usd: costUsd, cost_source: costSource, source } = row;
  return {
    turn: row.turn,
    model: row.model,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedTokens: row.cached_tokens,
    costUsd,
    // An earlier version knew no cost but those that were told.
    costSource: costSource ?? (costUsd === null ? null : "reported"),
    source: source ?? "harness",
    reportedAt: row.reported_at,
  };
}

/** A turn with what its run belongs to. */
export interface OwnedTurn {
  run_id: string;
  turn: number;
  factory_uid: string | null;
  automation_uid: string | null;
  agent_uid: string | null;
}

/** What is known of a turn from now on; what is left out stays. */
interface TurnUse {
  /** Whether models were told. */
  hasUsage?: boolean;
  workedMs?: number;
  cpuMs?: number | null;
  peakMemoryBytes?: number | null;
}

/** Notes what a turn has used, for sums that outlast its run. */
export async function keepTurnUse(
  db: Database,
  { run_id, turn, factory_uid, automation_uid, agent_uid }: OwnedTurn,
  { hasUsage = false, workedMs, cpuMs, peakMemoryBytes }: TurnUse,
  at: string,
): Promise<void> {
  await db.run(
    `INSERT INTO run_turns (run_id, turn, factory_uid, automation_uid, agent_uid, used_at, has_usage, is_last,
       worked_ms, cpu_ms, peak_memory_bytes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10)
     ON CONFLICT (run_id, turn) DO UPDATE SET
       used_at = excluded.used_at,
       has_usage = CASE WHEN excluded.has_usage = 1 THEN 1 ELSE run_turns.has_usage END,
       worked_ms = COALESCE(excluded.worked_ms, run_turns.worked_ms),
       cpu_ms = COALESCE(excluded.cpu_ms, run_turns.cpu_ms),
       peak_memory_bytes = COALESCE(excluded.peak_memory_bytes, run_turns.peak_memory_bytes)`,
    [
      ...[run_id, turn, factory_uid, automation_uid, agent_uid, at, hasUsage ? 1 : 0],
      ...[workedMs ?? null, cpuMs ?? null, peakMemoryBytes ?? null],
    ],
  );
  if (turn === 1) return;
  await db.run("UPDATE run_turns SET is_last = 0 WHERE run_id = $1 AND turn < $2 AND is_last = 1", [
    run_id,
    turn,
  ]);
}

/** The family of a run. */
interface FamilyOf {
  /** Its root; empty for a root itself. */
  family_id: string;
  /** What its root belongs to; nothing for a root itself. */
  root_factory_uid: string | null;
  root_automation_uid: string | null;
  root_agent_uid: string | null;
  /** The automation of its factory that has started its family, whose money it uses too. */
  paying_uid: string | null;
}

/** What the root of a run `r` belongs to. Of one that was deleted, only its automation is known. */
const ROOTS = `
  CASE WHEN root.run_id IS NOT NULL THEN root.factory_uid WHEN r.family_id IS NOT NULL THEN r.factory_uid END AS root_factory_uid,
  CASE WHEN root.run_id IS NOT NULL THEN root.automation_uid ELSE r.root_automation_uid END AS root_automation_uid,
  CASE WHEN root.run_id IS NOT NULL THEN root.agent_uid END AS root_agent_uid`;

/** What the runs belonged to, where an earlier version has not noted it. */
const OWNERS = ["factory_uid", "automation_uid", "agent_uid"]
  .map(
    (owner) =>
      `${owner} = COALESCE(run_usage.${owner}, (SELECT ${owner} FROM runs WHERE runs.run_id = run_usage.run_id))`,
  )
  .join(", ");

/** The same of their families, for rows that an earlier version has written. */
const FAMILY = [
  "family_id = COALESCE((SELECT family_id FROM runs WHERE runs.run_id = run_usage.run_id), '')",
  ...["factory_uid", "automation_uid", "agent_uid"].map(
    (owner) => `root_${owner} = (SELECT root.${owner} FROM runs root
      WHERE root.run_id = (SELECT family_id FROM runs WHERE runs.run_id = run_usage.run_id))`,
  ),
].join(", ");

/** The characters of an id that tell its time. */
const TIME_LENGTH = "01a1fe22-6744".length;

/**
 * What runs have used stays in the sums when they go, before which this is called: it says itself what they belonged to, and nothing
 * tells any more which runs they were. Their order stays.
 */
export async function leaveUsage(db: Database, runIds: readonly string[]): Promise<void> {
  const listed = placeholders(runIds.length);
  for (const whose of [listed, `SELECT run_id FROM runs WHERE family_id IN (${listed})`])
    await db.run(`UPDATE run_usage SET ${FAMILY} WHERE run_id IN (${whose}) AND family_id IS NULL`, [
      ...runIds,
    ]);
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
  // The usage of a family stays together under the new name of its root.
  await db.run(
    `UPDATE run_usage SET family_id = CASE family_id ${renamed} ELSE family_id END
     WHERE family_id > '' AND family_id IN (${listed})`,
    [...runIds, ...names],
  );
}

/** @returns the milliseconds between two instants; 0 without the first, or when a clock was set back between them */
export function msSince(instant: string | null, at: string): number {
  return instant === null ? 0 : Math.max(0, Date.parse(at) - Date.parse(instant));
}

/** Ends the time in which the agent of a run has waited for a person. */
export async function endAbsence(db: Database, runId: string, at: string): Promise<void> {
  const run = await db.first<{ away_at: string | null }>("SELECT away_at FROM runs WHERE run_id = $1", [
    runId,
  ]);
  if (!run?.away_at) return;
  await db.run("UPDATE runs SET away_ms = away_ms + $1, away_at = NULL WHERE run_id = $2", [
    msSince(run.away_at, at),
    runId,
  ]);
}
