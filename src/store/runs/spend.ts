import type { TurnUsage } from "../../runs/output/usage.ts";
import {
  type AwaitedDay,
  type Budgets,
  type BudgetUse,
  countsUsd,
  type FamilyLimit,
  familyUsedUpText,
  isPassed,
  isUsedUp,
  type OverBudget,
  type TurnBudget,
  type UsedUpDay,
} from "../../runs/rules/budget.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { DAY_MS, MINUTE_MS } from "../../time/duration.ts";
import { recordChange } from "../changes/change-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { isHeldPlacement, isOfStarted, LANE, LANES_BETWEEN, placementOfLane } from "./lanes.ts";
import {
  announce,
  CHANGED_COLUMNS,
  type ChangedRun,
  insertRunEvent,
  MAX_REFUSALS_SHOWN,
} from "./run-events.ts";
import { countStarted, dayOf, startOpening } from "./started-runs.ts";

const MINUTE_LENGTH = "2026-11-21T10:00".length;

/** Adds to what the runs of some owners have used; less than nothing where a last report corrects earlier ones. */
export async function addSpend(
  db: Database,
  owners: readonly (string | null)[],
  usd: number,
  at: string,
): Promise<void> {
  if (usd === 0) return;
  for (const owner of new Set(owners)) {
    if (owner === null) continue;
    await db.run(
      `INSERT INTO spend (owner_uid, minute, usd) VALUES ($1, $2, $3)
       ON CONFLICT (owner_uid, minute) DO UPDATE SET usd = spend.usd + excluded.usd`,
      [owner, minuteOf(at), usd],
    );
  }
}

/** What the runs of an owner have used in the day before an instant, in US dollars. */
export async function findSpent(db: Database, owner: string, at: string): Promise<number> {
  const [since, until] = dayAround(at);
  const row = await db.first<{ usd: number | null }>(
    "SELECT SUM(usd) AS usd FROM spend WHERE owner_uid = $1 AND minute >= $2 AND minute <= $3",
    [owner, since, until],
  );
  return row?.usd ?? 0;
}

/** When enough of what was used is a day old for a limit to have room again. */
export async function findSpendOpening(
  db: Database,
  owner: string,
  most: number,
  at: string,
): Promise<string | undefined> {
  const rows = await db.all<{ minute: string; usd: number }>(
    "SELECT minute, usd FROM spend WHERE owner_uid = $1 AND minute >= $2 AND minute <= $3 ORDER BY minute",
    [owner, ...dayAround(at)],
  );
  let left = rows.reduce((sum, { usd }) => sum + usd, 0);
  for (const { minute, usd } of rows) {
    left -= usd;
    if (!isUsedUp(left, most)) return new Date(Date.parse(`${minute}Z`) + DAY_MS + MINUTE_MS).toISOString();
  }
  return undefined;
}

/** Forgets what was used so long before an instant that no day has it. @returns how much of it */
function pruneSpend(db: Database, at: string, limit: number): Promise<number> {
  const before = minuteOf(new Date(Date.parse(at) - 2 * DAY_MS).toISOString());
  return db.run(
    `DELETE FROM spend WHERE (owner_uid, minute) IN
       (SELECT owner_uid, minute FROM spend WHERE minute < $1 ORDER BY minute LIMIT $2)`,
    [before, limit],
  );
}

const minuteOf = (at: string) => at.slice(0, MINUTE_LENGTH);

/**
 * The minutes of a day, the one that it begins in included. A clock that was set back leaves some of them in its future: those of a
 * day count, as with the starts of an hour.
 */
function dayAround(at: string): [since: string, until: string] {
  const now = Date.parse(at);
  return [minuteOf(new Date(now - DAY_MS).toISOString()), minuteOf(new Date(now + DAY_MS).toISOString())];
}

/** What of a budget a run has gone over with what it has just told. */
export async function findOverBudget(
  db: Database,
  id: string,
  usage: readonly Pick<TurnUsage, "model" | "inputTokens" | "outputTokens" | "costUsd">[],
  budget: TurnBudget,
  at: string,
): Promise<OverBudget | undefined> {
  const unpriced = usage.find(
    ({ costUsd, inputTokens, outputTokens }) => costUsd === null && inputTokens + outputTokens > 0,
  );
  if (budget.familyUsd) await tellFamilyUsedUp(db, id, budget.familyUsd, at);
  // Before the run itself ends for another reason: others of the day may be over it, too.
  const day = await findDayOver(db, budget, at);
  return (
    (await findRunOver(db, id, budget)) ??
    day ??
    (unpriced && countsUsd(budget) ? { limit: "price", model: unpriced.model } : undefined)
  );
}

/**
 * Which of the limits of a run and of its family it is over.
 * @param startsTurn whether a turn of it would start: of a family, what is used up is left for no other run than the root
 */
export async function findRunOver(
  db: Database,
  id: string,
  { usdPerRun, familyUsd, tokensPerRun }: Omit<TurnBudget, "days">,
  startsTurn = false,
): Promise<OverBudget | undefined> {
  if (!usdPerRun && !familyUsd && !tokensPerRun) return undefined;
  const used = await db.first<{ usd: number | null; tokens: number | null }>(
    "SELECT SUM(cost_usd) AS usd, SUM(input_tokens + output_tokens) AS tokens FROM run_usage WHERE run_id = $1",
    [id],
  );
  const [usd, tokens] = [used?.usd ?? 0, used?.tokens ?? 0];
  if (usdPerRun && isPassed(usd, usdPerRun.most)) return { limit: "usdPerRun", used: usd, ...usdPerRun };
  if (tokensPerRun && tokens > tokensPerRun.most)
    return { limit: "tokensPerRun", used: tokens, ...tokensPerRun };
  if (!familyUsd) return undefined;
  const { rootId, most, owner } = familyUsd;
  const ofFamily = await findSpentByFamily(db, familyUsd);
  const isOver = startsTurn && id !== rootId ? isUsedUp : isPassed;
  if (!isOver(ofFamily, most)) return undefined;
  const isAlone = id === rootId && ofFamily === usd;
  return { limit: "usdPerRun", used: ofFamily, most, owner, ...(isAlone ? {} : { family: rootId }) };
}

/**
 * What families have cost, as far as it is known, by the ids of their roots. Some of their runs may have been deleted.
 * @param within uids of the only factories whose runs count; null counts all
 */
export async function listFamilyCosts(
  db: Database,
  rootIds: readonly string[],
  within: readonly (string | null)[] | null,
): Promise<Record<string, number | null>> {
  const costs: Record<string, number | null> = Object.fromEntries(rootIds.map((id) => [id, null]));
  if (rootIds.length === 0 || within?.length === 0) return costs;
  const roots = placeholders(rootIds.length);
  const ofFactories = within
    ? `WHERE COALESCE(factory_uid, '') IN (${placeholders(within.length, rootIds.length)})`
    : "";
  const ofRuns = (rootId: string) =>
    `SELECT r.${rootId} AS root_id, u.cost_usd, r.factory_uid FROM runs r JOIN run_usage u ON u.run_id = r.run_id
     WHERE r.${rootId} IN (${roots})`;
  const rows = await db.all<{ root_id: string; usd: number | null }>(
    `SELECT root_id, SUM(cost_usd) AS usd FROM (
       ${ofRuns("run_id")} UNION ALL ${ofRuns("family_id")} UNION ALL
       SELECT family_id AS root_id, cost_usd, factory_uid FROM run_usage
       WHERE family_id IN (${roots}) AND family_id > '' AND run_is_gone <> 0
     ) AS costs ${ofFactories} GROUP BY root_id`,
    [...rootIds, ...(within ?? []).map((uid) => uid ?? "")],
  );
  for (const { root_id, usd } of rows) costs[root_id] = usd;
  return costs;
}

/** How much of the money of a family is used. */
export async function findSpentByFamily(db: Database, { rootId, factoryUid }: FamilyLimit): Promise<number> {
  return (await listFamilyCosts(db, [rootId], [factoryUid]))[rootId] ?? 0;
}

const FAMILY_USED_UP = "family_budget_used_up";

/** Tells the root of a family that its money is used up: once for each limit, and not where it is the only run. */
async function tellFamilyUsedUp(db: Database, runId: string, limit: FamilyLimit, at: string): Promise<void> {
  const root = await db.first<ChangedRun>(
    `SELECT ${CHANGED_COLUMNS} FROM runs WHERE run_id = $1 AND EXISTS (SELECT 1 FROM runs m WHERE m.family_id = $1)`,
    [limit.rootId],
  );
  if (!root || !isUsedUp(await findSpentByFamily(db, limit), limit.most)) return;
  const reason = familyUsedUpText(limit);
  const sent = await db.all<{ payload: string }>(
    "SELECT payload FROM run_events WHERE run_id = $1 AND event_type = $2",
    [limit.rootId, FAMILY_USED_UP],
  );
  if (sent.length >= MAX_REFUSALS_SHOWN) return;
  if (sent.some(({ payload }) => JSON.parse(payload).reason === reason)) return;
  await insertRunEvent(db, limit.rootId, FAMILY_USED_UP, at, { turn: root.turn, run_id: runId, reason });
  await announce(db, root, at);
}

async function findDayOver(db: Database, { days }: TurnBudget, at: string): Promise<OverBudget | undefined> {
  let over: OverBudget | undefined;
  for (const { owner, most, skips } of days) {
    const used = await findSpent(db, owner.uid, at);
    if (isUsedUp(used, most)) await tellUsedUp(db, [{ owner, limit: "usdPerDay", most, used, skips }], at);
    if (isPassed(used, most)) over ??= { limit: "usdPerDay", owner, most, used };
  }
  return over;
}

/**
 * Tells that limits of a day are used up, of each one once: while the day moves on, a limit has room for a moment and is used up
 * again, so that it is told again only after a day, or when it was changed.
 */
export async function tellUsedUp(db: Database, days: readonly UsedUpDay[], at: string): Promise<void> {
  for (const { owner, limit, most } of days) {
    const told = await db.first(
      "SELECT 1 FROM used_up_days WHERE owner_uid = $1 AND limit_name = $2 AND most = $3 AND told_at > $4",
      [owner.uid, limit, most, new Date(Date.parse(at) - DAY_MS).toISOString()],
    );
    if (told) continue;
    await db.run(
      `INSERT INTO used_up_days (owner_uid, limit_name, most, told_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (owner_uid, limit_name) DO UPDATE SET most = excluded.most, told_at = excluded.told_at`,
      [owner.uid, limit, most, at],
    );
    const change = { kind: "budget" as const, subject: owner.uid, webhookUid: null, status: limit, at };
    await recordChange(db, { ...change, factoryUid: await factoryOf(db, owner) });
  }
}

async function factoryOf(db: Database, { uid, kind }: UsedUpDay["owner"]): Promise<string | null> {
  if (kind === "factory") return uid;
  const row = await db.first<{ factory_uid: string }>("SELECT factory_uid FROM resources WHERE uid = $1", [
    uid,
  ]);
  return row?.factory_uid ?? null;
}

/** The limit of a budget that is used up and has runs wait: that of dollars, which all runs wait for, before that of starts. */
async function findUsedUpDay(
  db: Database,
  uid: string,
  { kind, name, usdPerDay, runsPerDay, onExhausted }: Budgets[string],
  at: string,
): Promise<UsedUpDay | undefined> {
  if (onExhausted === "skip") return undefined;
  const owner = { uid, kind, name };
  if (usdPerDay !== undefined) {
    const used = await findSpent(db, uid, at);
    if (isUsedUp(used, usdPerDay)) return { owner, limit: "usdPerDay", most: usdPerDay, used, skips: false };
  }
  if (runsPerDay === undefined) return undefined;
  const used = await countStarted(db, dayOf(owner), at);
  return used < runsPerDay ? undefined : { owner, limit: "runsPerDay", most: runsPerDay, used, skips: false };
}

/** When a used-up day has room again, as far as that is a matter of time. */
export function findDayOpening(
  db: Database,
  { owner, limit, most }: UsedUpDay,
  at: string,
): Promise<string | undefined> {
  return limit === "usdPerDay"
    ? findSpendOpening(db, owner.uid, most, at)
    : startOpening(db, dayOf(owner), most, at);
}

/** A factory can have thousands of automations, and the queue thousands of runs: those beyond are not looked at. */
const MAX_LANES = 1_000;
const MAX_QUEUED = 10_000;

const WAITING_LANES = `${LANES_BETWEEN} LIMIT $3`;
const OLDEST_IN_LANE = `
  SELECT COALESCE(turn_asked_at, created_at) AS since FROM runs WHERE ${LANE} = $1 ORDER BY run_id LIMIT 1`;
const OLDEST_OF_AGENT = `
  SELECT since FROM
    (SELECT COALESCE(turn_asked_at, created_at) AS since, agent_uid, first_claimed_at, held_until FROM runs
     WHERE state = 'QUEUED' ORDER BY run_id LIMIT ${MAX_QUEUED}) AS queued
  WHERE agent_uid = $1 AND held_until IS NULL AND ($2 = 0 OR first_claimed_at IS NULL) LIMIT 1`;

/** Since when the first run waits that a used-up day holds back; nothing when none does. */
async function findWaitingSince(
  db: Database,
  { owner, limit }: UsedUpDay,
  factoryUid: string | null,
): Promise<string | undefined> {
  const countsStarts = limit === "runsPerDay";
  if (owner.kind === "agent")
    return (await db.first<{ since: string }>(OLDEST_OF_AGENT, [owner.uid, countsStarts ? 1 : 0]))?.since;
  const uids = owner.kind === "factory" ? owner.uid : `${factoryUid}/${owner.uid}`;
  // `0` comes right after `/`.
  const lanes = await db.all<{ lane: string }>(WAITING_LANES, [`${uids}/`, `${uids}0`, MAX_LANES]);
  const oldest: string[] = [];
  for (const { lane } of lanes) {
    // What is held waits for something else, and what was started before is not counted again.
    if (isHeldPlacement(placementOfLane(lane)) || (countsStarts && isOfStarted(lane))) continue;
    const first = await db.first<{ since: string }>(OLDEST_IN_LANE, [lane]);
    if (first) oldest.push(first.since);
  }
  return oldest.sort()[0];
}

/** What is used of the budgets of definitions. */
export function runBudgets(db: Database): Pick<RunStore, "listBudgetUse" | "listAwaitedDays" | "pruneSpend"> {
  return {
    async listBudgetUse(budgets, at) {
      const found: Record<string, BudgetUse> = {};
      for (const [uid, { kind, usdPerDay, runsPerDay }] of Object.entries(budgets)) {
        const owner = { uid, kind };
        const usd = await findSpent(db, uid, at);
        const runs = await countStarted(db, dayOf(owner), at);
        const openings = [
          usdPerDay !== undefined && isUsedUp(usd, usdPerDay)
            ? await findSpendOpening(db, uid, usdPerDay, at)
            : undefined,
          runsPerDay === undefined ? undefined : await startOpening(db, dayOf(owner), runsPerDay, at),
        ];
        // Both have to have room.
        found[uid] = {
          usd,
          runs,
          opensAt:
            openings
              .filter((each) => each !== undefined)
              .sort()
              .at(-1) ?? null,
        };
      }
      return found;
    },
    async listAwaitedDays(budgets, at) {
      const found: AwaitedDay[] = [];
      for (const [uid, budget] of Object.entries(budgets)) {
        const day = await findUsedUpDay(db, uid, budget, at);
        if (!day) continue;
        const factoryUid = await factoryOf(db, day.owner);
        const since = await findWaitingSince(db, day, factoryUid);
        if (since === undefined) continue;
        const opensAt = await findDayOpening(db, day, at);
        found.push({ day, factoryUid, since, opensAt: opensAt ?? null });
      }
      return found;
    },
    pruneSpend: (at, limit) => pruneSpend(db, at, limit),
  };
}
