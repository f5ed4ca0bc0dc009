import type { Debounce } from "../../definitions/definition.ts";
import { newUuidAfter } from "../../id.ts";
import type { EndedMember } from "../../runs/rules/family.ts";
import type { PlanState } from "../../runs/rules/plan.ts";
import {
  type KeyEffects,
  MAX_JOINED,
  MAX_JOINED_BYTES,
  type RunKey,
  windowSetting,
} from "../../runs/rules/run-key.ts";
import { MOVES, type RunState } from "../../runs/rules/state.ts";
import type { NewRun } from "../../runs/run.ts";
import { insertRun, type RunHold } from "../runs/insert-run.ts";
import { GOES_ON, HELD_FOR_KEY, isInAnyWindow, isKeyTaken } from "../runs/key-holds.ts";
import { demandedPlacement, MARK_PLACEMENT } from "../runs/lanes.ts";
import { runCancellations } from "../runs/run-cancellations.ts";
import { newMessageId } from "../runs/run-conversation.ts";
import { announce, CHANGED_COLUMNS, type ChangedRun } from "../runs/run-events.ts";
import { runFamilies } from "../runs/run-families.ts";
import { runFollowUps } from "../runs/run-follow-ups.ts";
import { moveRuns } from "../runs/run-moves.ts";
import type { StartingDelivery } from "../runs/run-row.ts";
import type { Database } from "../sqlite/database.ts";
import { findGiven, recordFirst, recordNext } from "./run-deliveries.ts";

/** A run of a delivery whose automation has a key or a window. */
export type KeyedRun = NewRun & { keyed: RunKey };

/** The newest run of a key. */
interface NewestRun {
  run_id: string;
  state: RunState;
  turn: number;
  first_claimed_at: string | null;
  held_until: string | null;
  window_opened_at: string | null;
  window_setting: string | null;
  key_until: string | null;
  cancel_requested_at: string | null;
  task_uid: string | null;
  agent_uid: string | null;
  placement: string;
  plan_state: PlanState;
}

const NEWEST_COLUMNS = `run_id, state, turn, first_claimed_at, held_until, window_opened_at, window_setting,
  key_until, cancel_requested_at, task_uid, agent_uid, placement, plan_state`;

/**
 * Does with a delivery what the matrix of docs/concurrency.md says, in the transaction of its acceptance: it starts a run,
 * joins one that waits, replaces those that go on, or continues one.
 */
export async function placeKeyedRun(
  db: Database,
  run: KeyedRun,
  delivery: StartingDelivery,
  at: string,
): Promise<KeyEffects> {
  const { key, concurrency, debounce } = run.keyed;
  const { automationUid } = run;
  if (key === null) {
    await insertRun(db, run, delivery, at);
    await recordFirst(db, run.id, { delivery, automationUid, kind: "started", key }, at);
    return { ended: [], messaged: [] };
  }
  const fullKey = `${automationUid ?? ""} ${key}`;
  const newest = await db.first<NewestRun>(
    `SELECT ${NEWEST_COLUMNS} FROM runs WHERE concurrency_key = $1 ORDER BY run_id DESC LIMIT 1`,
    [fullKey],
  );
  const given = { delivery, automationUid, key };
  if (concurrency?.whileRunning === "replace") {
    const { ended, replaced } = await endAll(db, fullKey, delivery.id, at);
    const window = newest && isInWindow(newest, at) ? newest : undefined;
    await start(replaced.length > 0 ? "replaced" : "started", { window, replaced });
    return { ended, messaged: [] };
  }
  if (newest && (await isJoinable(db, newest, run, delivery, at))) {
    await joinRun(db, run, newest, delivery, at);
    await recordNext(db, newest.run_id, { ...given, kind: "joined" }, at);
    if (debounce) await extendWindow(db, newest, debounce, at);
    return { ended: [], messaged: [] };
  }
  if (newest && concurrency && isContinuable(newest, concurrency.maxTurns, at)) {
    if (concurrency.whileRunning === "continue" && (await continueRun(db, run, newest, delivery, at)))
      return { ended: [], messaged: [newest.run_id] };
  }
  await start("started");
  return { ended: [], messaged: [] };

  /** @param window the open one of the run that it replaces */
  async function start(
    kind: "started" | "replaced",
    { window, replaced = [] }: { window?: NewestRun | undefined; replaced?: string[] } = {},
  ) {
    const waits =
      concurrency !== undefined &&
      ((await isKeyTaken(db, fullKey, at)) || (!debounce && (await isInAnyWindow(db, fullKey))));
    const hold: RunHold = {
      key: fullKey,
      keyUntil: concurrency ? later(at, concurrency.forgetAfterMs) : null,
      heldUntil: debounce ? endOfWindow(window, debounce, at) : waits ? HELD_FOR_KEY : null,
      windowOpenedAt: debounce ? (window?.window_opened_at ?? at) : null,
      windowSetting: debounce ? windowSetting(debounce) : null,
    };
    // The newest run of a key has the greatest id, also where the clock was set back since the one before.
    const id = newest && run.id <= newest.run_id ? newUuidAfter(newest.run_id) : run.id;
    await insertRun(db, { ...run, id }, delivery, at, hold);
    const waitedFor = waits ? "key" : debounce ? "window" : null;
    await recordFirst(db, id, { ...given, kind, replaced, waitedFor }, at);
  }
}

const isUntouched = ({ state, turn, first_claimed_at: claimedAt }: NewestRun) =>
  state === "QUEUED" && turn === 1 && claimedAt === null;

/** Whether a run that has not been claimed yet takes the delivery. It stays on the machine and with the agent that it was for. */
async function isJoinable(
  db: Database,
  newest: NewestRun,
  { keyed: { concurrency, debounce }, agentUid, placement, task }: KeyedRun,
  delivery: StartingDelivery,
  at: string,
): Promise<boolean> {
  const policy = concurrency?.whileRunning;
  const joins =
    policy === "join" || policy === "continue" || (debounce !== undefined && isInWindow(newest, at));
  if (!joins || !isUntouched(newest)) return false;
  const isSame =
    newest.agent_uid === agentUid &&
    demandedPlacement(newest.placement) === placement &&
    (newest.task_uid !== null) === (task !== undefined);
  if (!isSame) return false;
  const given = await findGiven(db, newest.run_id);
  return given.position < MAX_JOINED && given.total_size + delivery.size <= MAX_JOINED_BYTES;
}

/**
 * A run that somebody has ended is over, whatever is said in its conversation; and no delivery decides on a plan. What comes before
 * a turn begins is part of it.
 */
function isContinuable(newest: NewestRun, maxTurns: number, at: string): boolean {
  const { state, turn, key_until: until, cancel_requested_at: cancelledAt, plan_state: plan } = newest;
  const isOver = state === "CANCELLED" || cancelledAt !== null || until === null || until <= at;
  if (isOver || isUntouched(newest) || (state === "BLOCKED" && plan === "proposed")) return false;
  return turn < maxTurns || (state === "QUEUED" && turn <= maxTurns);
}

/** @returns whether the run has taken the message */
async function continueRun(
  db: Database,
  { automationUid, webhookUid, keyed: { key, debounce, message } }: KeyedRun,
  newest: NewestRun,
  delivery: StartingDelivery,
  at: string,
): Promise<boolean> {
  if (!message) return false;
  const creator = { uid: webhookUid ?? "", type: "service_account", displayName: message.author } as const;
  const followUp = {
    id: await newMessageId(db, newest.run_id),
    runId: newest.run_id,
    message: message.text,
    creator,
  } as const;
  const outcome = await runFollowUps(db).followUp(followUp, null, at);
  if (!outcome || !("result" in outcome)) return false;
  await recordNext(db, newest.run_id, { delivery, automationUid, kind: "continued", key }, at);
  await db.run("UPDATE runs SET delivery_id = $1, webhook_uid = $2 WHERE run_id = $3", [
    delivery.id,
    webhookUid,
    newest.run_id,
  ]);
  if (debounce && outcome.result === "handoff_execution") await openWindow(db, newest.run_id, debounce, at);
  if (debounce && outcome.result === "queued_prompt") await extendWindow(db, newest, debounce, at);
  return true;
}

/** Ends every run of a key that has not ended, with what it has started; those that wait are never started. */
async function endAll(db: Database, key: string, deliveryId: string, at: string) {
  const ended = await endWaiting(db, key, at);
  const waiting = ended.map(({ run }) => run.id);
  // At most the one that has the key, and blocked ones that have had it for too long.
  const rows = await db.all<{ run_id: string }>(
    `SELECT run_id FROM runs WHERE ${GOES_ON} ORDER BY run_id DESC`,
    [key],
  );
  const families = runFamilies(db, runCancellations(db));
  const displayName = `the delivery ${deliveryId}`;
  const by = {
    by: { uid: deliveryId, type: "service_account", displayName },
    reason: "it replaces this run",
  } as const;
  for (const { run_id: rootId } of rows) {
    let after: string | undefined;
    do {
      const tree = await families.cancelTree({ rootId, by, within: null, agentOf: null }, after, at);
      ended.push(...tree.ended);
      after = tree.last;
    } while (after !== undefined);
  }
  return { ended, replaced: [...waiting, ...rows.map(({ run_id }) => run_id)] };
}

/** By one statement: thousands may wait, and have started nothing. */
async function endWaiting(db: Database, key: string, at: string): Promise<EndedMember[]> {
  const change = {
    set: "cancel_requested_at = $1, finished_at = $1",
    where: "concurrency_key = $2 AND turn = 1 AND first_claimed_at IS NULL AND state = 'QUEUED'",
    values: [key],
    keepsKey: true,
  };
  const moved = await moveRuns(db, MOVES.cancel, change, at);
  return moved.map(({ run_id: id, factory_uid: factoryUid, automation_uid: automationUid }) => ({
    run: { id, factoryUid, automationUid, isLeased: false },
    state: "QUEUED",
  }));
}

function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}

/**
 * Makes a run that waits the run of the newest delivery: its title, its prompt, and where in a repository it happened. It stays the
 * run, the place in the queue and the task that it is.
 */
async function joinRun(
  db: Database,
  run: KeyedRun,
  { run_id, task_uid }: NewestRun,
  delivery: StartingDelivery,
  at: string,
): Promise<void> {
  // The delivery would have made a task of its own.
  const prompt = run.task && task_uid !== null ? run.prompt.replaceAll(run.task.uid, task_uid) : run.prompt;
  const [joined] = await db.all<ChangedRun>(
    `UPDATE runs SET title = $1, prompt = $2, execution = $3, config = $4, config_name = $5, model_id = $6, delivery_id = $7,
       webhook_uid = $8, updated_at = $9
     WHERE run_id = $10 RETURNING ${CHANGED_COLUMNS}`,
    [
      run.title,
      prompt,
      JSON.stringify(run.execution),
      JSON.stringify(run.config),
      run.config.name ?? null,
      run.config.model_id ?? null,
      delivery.id,
      run.webhookUid,
      at,
      run_id,
    ],
  );
  if (joined) await announce(db, joined, at);
}

/** What tells whether a run is in a window. */
export interface HeldRun {
  run_id: string;
  held_until: string | null;
  window_opened_at: string | null;
  window_setting: string | null;
}

/** Whether the window of a run is open: one that is over takes nothing more, even where nobody has ended it yet. */
function isInWindow({ held_until: until }: Pick<HeldRun, "held_until">, at: string): boolean {
  return until !== null && until < HELD_FOR_KEY && until > at;
}

/** When a window ends that has just got a delivery. A clock that was set back does not make it longer. */
function windowEnd({ quietMs, longestMs }: Debounce, openedAt: string, at: string): string {
  const now = Date.parse(at);
  const longest = Math.min(Date.parse(openedAt), now) + longestMs;
  return new Date(Math.min(now + quietMs, longest)).toISOString();
}

/**
 * When the open window of a run ends, or a new one, that has just got a delivery. Deliveries may be recorded in another order than that
 * in which they came: none makes a window shorter, unless its automation has another one by now.
 */
function endOfWindow(run: HeldRun | undefined, debounce: Debounce, at: string): string {
  const end = windowEnd(debounce, run?.window_opened_at ?? at, at);
  const before = run?.window_setting === windowSetting(debounce) ? run.held_until : null;
  return before !== null && before > end ? before : end;
}

/** Has a run that waits for a turn wait for others to come. */
async function openWindow(db: Database, runId: string, debounce: Debounce, at: string): Promise<void> {
  await db.run(
    `UPDATE runs SET held_until = $1, ${MARK_PLACEMENT}, window_opened_at = $2, window_setting = $3
     WHERE run_id = $4 AND state = 'QUEUED' AND held_until IS NULL`,
    [endOfWindow(undefined, debounce, at), at, windowSetting(debounce), runId],
  );
}

/** Has the window of a run last until its quiet time is over again. */
async function extendWindow(db: Database, run: HeldRun, debounce: Debounce, at: string): Promise<void> {
  if (!isInWindow(run, at)) return;
  await db.run(
    `UPDATE runs SET held_until = $1
     WHERE run_id = $2 AND state = 'QUEUED' AND held_until IS NOT NULL AND held_until < '${HELD_FOR_KEY}'`,
    [endOfWindow(run, debounce, at), run.run_id],
  );
}
