import type { IdempotencyKey } from "../../runs/idempotency.ts";
import { type FamilyLimit, isUsedUp } from "../../runs/rules/budget.ts";
import {
  type EndedMember,
  type FamilyMember,
  type FamilyStore,
  isDescendant,
  MAX_FAMILY,
  MAX_OF_AGENT_IN_LINE,
  MAX_TREE,
  type StartAnswer,
  type StartRefusal,
} from "../../runs/rules/family.ts";
import { hasEnded } from "../../runs/rules/state.ts";
import type { NewRun, Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { insertRun } from "./insert-run.ts";
import { ENDING_COLUMNS, type EndingRow, endRun } from "./run-cancellations.ts";
import { insertRunEvent, recordRefusal } from "./run-events.ts";
import { type RunRow, relativeOf } from "./run-row.ts";
import { findSpentByFamily } from "./spend.ts";
import { MAY_ACT } from "./state-lists.ts";

/** How many runs of a family one transaction ends: others wait for it. */
const BATCH = 200;

/** Families of runs: what their agents start, and how they end together. */
export function runFamilies(db: Database, ending: Pick<RunStore, "cancel" | "dismiss">): FamilyStore {
  return {
    findStart: (parentId, once) => findStart(db, parentId, once),
    async startChild(run, { parentId, parentTurn, agent, children, familyUsd, once, answer }, at) {
      const before = once && (await findStart(db, parentId, once));
      if (before) return before;
      const parent = await db.first(`SELECT 1 FROM runs WHERE run_id = $1 AND turn = $2 AND ${MAY_ACT}`, [
        parentId,
        parentTurn,
      ]);
      if (!parent) return { refused: "ended" };
      const refused = (await refusalOf(db, run, children)) ?? (await budgetRefusal(db, familyUsd));
      if (refused) {
        await recordRefusal(db, parentId, "start_refused", { reason: refused, agent }, at);
        return { refused };
      }
      await insertRun(db, run, null, at);
      await db.run(
        "INSERT INTO run_starts (run_id, child_id, key, request_hash, answer) VALUES ($1, $2, $3, $4, $5)",
        [parentId, run.id, once?.key ?? null, once?.requestHash ?? null, answer],
      );
      await insertRunEvent(db, parentId, "child_started", at, { turn: parentTurn, run_id: run.id, agent });
      return { answer, isNew: true };
    },
    refuseStart: (parentId, { reason, agent }, at) =>
      recordRefusal(db, parentId, "start_refused", { reason, agent }, at),
    async listFamily(rootId) {
      const rows = await db.all<FamilyRow>(
        `SELECT ${FAMILY_COLUMNS} FROM runs WHERE run_id = $1
         UNION ALL
         SELECT * FROM (SELECT ${FAMILY_COLUMNS} FROM runs WHERE family_id = $1 ORDER BY run_id LIMIT $2) AS members`,
        [rootId, MAX_TREE - 1],
      );
      return rows.map(toMember);
    },
    async cancelTree({ rootId, by, within, agentOf }, after, at) {
      const rows = await membersAfter(db, rootId, after);
      const ended: EndedMember[] = [];
      for (const row of rows) {
        if (!isOfTree(row, rootId) || hasEnded(row.state) || row.cancel_requested_at !== null) continue;
        if (within !== null && !within.includes(row.factory_uid ?? "")) continue;
        if (agentOf && !isDescendant(relativeOf(row), agentOf)) continue;
        ended.push(await endRun(ending, row, by, at));
      }
      const last = rows.length < BATCH ? undefined : rows.at(-1)?.run_id;
      return { ended, ...(last === undefined ? {} : { last }) };
    },
  };
}

async function findStart(
  db: Database,
  parentId: string,
  { key, requestHash }: IdempotencyKey,
): Promise<StartAnswer | undefined> {
  const row = await db.first<{ child_id: string; request_hash: string; answer: string }>(
    "SELECT child_id, request_hash, answer FROM run_starts WHERE run_id = $1 AND key = $2",
    [parentId, key],
  );
  if (!row) return undefined;
  if (row.request_hash !== requestHash) return { differsFrom: row.child_id };
  return { answer: row.answer, isNew: false };
}

/** The bound that one more run would break; two that come at once are counted one after the other. */
async function refusalOf(
  db: Database,
  { ancestors, agentUid }: NewRun,
  children: number,
): Promise<StartRefusal | undefined> {
  const count = async (sql: string, values: (string | number)[]) =>
    (await db.first<{ runs: number }>(sql, values))?.runs ?? 0;
  const [rootId = "", parentId = ""] = [ancestors[0], ancestors.at(-1)];
  const started = await count("SELECT COUNT(*) AS runs FROM run_starts WHERE run_id = $1", [parentId]);
  if (started >= children) return "children";
  if (await isFamilyFull(db, rootId)) return "family";
  const inLine = await count(
    `SELECT COUNT(*) AS runs FROM runs
     WHERE run_id IN (${placeholders(ancestors.length)}) AND agent_uid = $${ancestors.length + 1}`,
    [...ancestors, agentUid ?? ""],
  );
  return inLine >= MAX_OF_AGENT_IN_LINE ? "cycle" : undefined;
}

async function budgetRefusal(
  db: Database,
  familyUsd: FamilyLimit | undefined,
): Promise<StartRefusal | undefined> {
  if (!familyUsd) return undefined;
  return isUsedUp(await findSpentByFamily(db, familyUsd), familyUsd.most) ? "budget" : undefined;
}

/** Whether the family of a root has as many runs as it may have. */
export async function isFamilyFull(db: Database, rootId: string): Promise<boolean> {
  const row = await db.first<{ runs: number }>(
    "SELECT COUNT(*) AS runs FROM (SELECT 1 FROM runs WHERE family_id = $1 LIMIT $2) AS members",
    [rootId, MAX_FAMILY],
  );
  // The root is one of them.
  return (row?.runs ?? 0) + 1 >= MAX_FAMILY;
}

type FamilyRow = Pick<
  RunRow,
  | "run_id"
  | "factory_uid"
  | "agent_uid"
  | "executor"
  | "creator"
  | "execution"
  | "ancestors"
  | "title"
  | "state"
  | "lease_expires_at"
  | "created_at"
  | "started_at"
  | "finished_at"
  | "waiting_for"
>;

/** Prompts and configurations can be long, and nobody looks at those of a whole family. */
const FAMILY_COLUMNS = `run_id, factory_uid, agent_uid, executor, creator, execution, ancestors, title, state,
  lease_expires_at, created_at, started_at, finished_at, waiting_for`;

function toMember(row: FamilyRow): FamilyMember {
  return {
    id: row.run_id,
    factoryUid: row.factory_uid,
    agentUid: row.agent_uid,
    executor: JSON.parse(row.executor ?? row.creator),
    execution: JSON.parse(row.execution),
    ancestors: JSON.parse(row.ancestors),
    title: row.title,
    state: row.state,
    isLeased: row.lease_expires_at !== null,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    waitingFor: row.waiting_for === null ? null : JSON.parse(row.waiting_for),
  };
}

type MemberRow = EndingRow & Pick<RunRow, "ancestors" | "execution" | "cancel_requested_at">;

const MEMBER_COLUMNS = `${ENDING_COLUMNS}, ancestors, execution, cancel_requested_at`;

/** The run itself comes first, and then its family by ID. A run that is created meanwhile comes last: its ID is the highest. */
async function membersAfter(db: Database, rootId: string, after: string | undefined): Promise<MemberRow[]> {
  const own = await db.all<MemberRow & { family_id: string | null }>(
    `SELECT ${MEMBER_COLUMNS}, family_id FROM runs WHERE run_id = $1`,
    [rootId],
  );
  const members = await db.all<MemberRow>(
    `SELECT ${MEMBER_COLUMNS} FROM runs
     WHERE family_id = $1 AND run_id > $2 AND run_id <> $3 ORDER BY run_id LIMIT $4`,
    [own[0]?.family_id ?? rootId, after ?? "", rootId, after === undefined ? BATCH - own.length : BATCH],
  );
  return after === undefined ? [...own, ...members] : members;
}

function isOfTree({ run_id, ancestors }: MemberRow, rootId: string): boolean {
  return run_id === rootId || (JSON.parse(ancestors) as Run["ancestors"]).includes(rootId);
}
