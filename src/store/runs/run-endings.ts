import { type Dismissal, dismissedMessage } from "../../runs/rules/family.ts";
import {
  gaveUpMessage,
  goOnMessage,
  MAX_LIMITED_TURNS,
  MAX_RETRIES,
  type ProviderLimit,
} from "../../runs/rules/provider-limit.ts";
import { REMOTE_HOLDERS } from "../../runs/rules/remote-worker.ts";
import { endingMove, MOVES } from "../../runs/rules/state.ts";
import type { Ending, FallenClaim, Run, RunStatusMessage } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { isOfWorker, noteBegun, noteFallen } from "./claim-runs.ts";
import { noteAnswer, noteLimit } from "./hold-store.ts";
import { releaseNext } from "./key-holds.ts";
import { carryRepair, type JudgedEnding, judgeAnswer } from "./run-answers.ts";
import { eventOfDismissal } from "./run-cancellations.ts";
import { addOwnMessage } from "./run-conversation.ts";
import { insertRunEvent } from "./run-events.ts";
import { moveRuns, openNextTurn } from "./run-moves.ts";
import { keepLastAnswer } from "./run-reports.ts";
import { keepTurnUse, msSince, type OwnedTurn } from "./run-usage.ts";
import { dropWaits, findStoredWaits, interruptWaits, resume, tellWaiting } from "./run-waits.ts";
import { LEASED, LEASED_RUNS } from "./state-lists.ts";

/** A run that a worker has, as its ending needs it. */
interface LeasedRun extends OwnedTurn {
  state: Run["state"];
  turn_started_at: string | null;
  away_at: string | null;
  cancel_requested_at: string | null;
  dismissal: string | null;
  /** What it waits for, as JSON. */
  waiting_for: string | null;
  /** The turn in which a wrong answer is repaired. */
  repair_turn: number | null;
  has_parent: number;
  /** Where it was claimed. */
  claimed_home: string | null;
  execution: string;
  provider_model: string | null;
  provider_retries: number;
  provider_limited: number;
}

const LEASED_COLUMNS = `run_id, state, turn, turn_started_at, away_at, cancel_requested_at, dismissal, waiting_for, repair_turn,
  family_id IS NOT NULL AS has_parent, factory_uid, automation_uid, agent_uid, claimed_home,
  execution, provider_model, provider_retries, provider_limited`;

/** After every instant. */
const FOR_EVER = "~";

/** How the turns of runs end, and what comes after them. */
export function runEndings(
  db: Database,
): Pick<RunStore, "finish" | "listLeased" | "recoverLost" | "countLeased" | "findTurnStart"> {
  return {
    async finish({ id, ticket }, ending, at) {
      const run = await db.first<LeasedRun>(
        `SELECT ${LEASED_COLUMNS} FROM runs
         WHERE run_id = $1 AND ticket = $2 AND lease_expires_at IS NOT NULL AND state IN (${LEASED})`,
        [id, ticket],
      );
      if (!run) return undefined;
      if (run.state === "CLAIMED" && isOfWorker(run.claimed_home)) await noteBegun(db, { id, ticket });
      await keepLastAnswer(db, run, ending, at);
      const judged = ending.limit
        ? await limited(db, run, ending, at)
        : await judgeAnswer(db, run, ending, at);
      // The turn after a limit continues this one.
      if (judged.limit) await carryRepair(db, run);
      return endTurn(db, run, judged, at);
    },
    async listLeased({ expiredBefore, worker } = {}) {
      const [where, values] =
        expiredBefore !== undefined
          ? ["lease_expires_at < $1", [expiredBefore]]
          : worker !== undefined
            ? ["worker = $1", [worker]]
            : ["NOT (worker >= $1 AND worker < $2)", REMOTE_HOLDERS];
      const rows = await db.all<{ run_id: string }>(
        `SELECT run_id FROM ${LEASED_RUNS} WHERE lease_expires_at IS NOT NULL AND ${where} ORDER BY run_id`,
        values,
      );
      return rows.map(({ run_id }) => run_id);
    },
    async recoverLost(ids, message, at, expiredBefore = FOR_EVER) {
      const lost: Ending = {
        state: "ERROR",
        exitCode: null,
        statusMessage: { message, error_code: "infrastructure_timeout", retryable: false },
      };
      const runs = await db.all<LeasedRun>(
        `SELECT ${LEASED_COLUMNS} FROM runs
         WHERE run_id IN (${placeholders(ids.length)}) AND lease_expires_at < $${ids.length + 1} ORDER BY run_id`,
        [...ids, expiredBefore],
      );
      const fallen: FallenClaim[] = [];
      for (const run of runs) {
        const { run_id: runId, claimed_home: home } = run;
        const forMs = run.state === "CLAIMED" ? await noteFallen(db, home, at) : 0;
        if (forMs > 0 && home !== null) fallen.push({ runId, home, forMs });
        if (run.state === "CLAIMED" && run.cancel_requested_at === null) await release(db, run.run_id, at);
        else await endTurn(db, run, lost, at);
      }
      return fallen;
    },
    async countLeased(workers) {
      const counted = await db.first<{ count: number }>(
        `SELECT COUNT(*) AS count FROM ${LEASED_RUNS}
         WHERE lease_expires_at IS NOT NULL AND worker IN (${placeholders(workers.length)})`,
        [...workers],
      );
      return counted?.count ?? 0;
    },
    async findTurnStart({ id, ticket }) {
      const run = await db.first<{ turn_started_at: string | null }>(
        `SELECT turn_started_at FROM runs WHERE run_id = $1 AND ticket = $2 AND lease_expires_at IS NOT NULL AND state IN (${LEASED})
         AND state <> 'CLAIMED'`,
        [id, ticket],
      );
      return run?.turn_started_at ?? undefined;
    },
  };
}

/**
 * Has the runs of a credential and a model wait, and finds out whether this one waits with them.
 * @returns how its turn ends: as one after which another goes on, unless it was tried too often
 */
async function limited(db: Database, run: LeasedRun, ending: Ending, at: string): Promise<Ending> {
  const { limit, ...failure } = ending;
  if (!limit || run.state === "CLAIMED") return failure;
  await noteLimit(db, run, limit, at);
  const isUnavailable = limit.kind === "unavailable";
  const isTooOften = isUnavailable
    ? run.provider_retries >= MAX_RETRIES
    : run.provider_limited >= MAX_LIMITED_TURNS;
  if (isTooOften) {
    const message = gaveUpMessage(limit);
    return { ...failure, statusMessage: { message, error_code: "provider_limit", retryable: true } };
  }
  const column = isUnavailable ? "provider_retries" : "provider_limited";
  await db.run(`UPDATE runs SET ${column} = ${column} + 1 WHERE run_id = $1`, [run.run_id]);
  return ending;
}

async function release(db: Database, id: string, at: string): Promise<void> {
  const set = "worker = NULL, lease_expires_at = NULL";
  await moveRuns(db, MOVES.release, { set, where: "run_id = $2", values: [id] }, at);
}

/**
 * Ends a turn in the way that its run stands; messages that came for the next one make the run wait again.
 * @returns the state of the run before it waits again
 */
async function endTurn(
  db: Database,
  run: LeasedRun,
  ending: JudgedEnding,
  at: string,
): Promise<Run["state"]> {
  const isCancelled = run.cancel_requested_at !== null;
  const { state, waiting_for } = run;
  const { limit } = ending;
  // A run whose agent corrects its answer waits like one that waits for other runs: its message begins the next turn.
  const isWaiting = waiting_for !== null || limit !== undefined || ending.isRepaired === true;
  const move = endingMove({ state, isCancelled, isWaiting }, limit ? "SUCCEEDED" : ending.state);
  const isOver = move !== MOVES.rest && move !== MOVES.wait;
  const dismissal: Dismissal | null = run.dismissal === null ? null : JSON.parse(run.dismissal);
  const cancelled = dismissal ? dismissedMessage(dismissal) : null;
  // What a blocked run asks stays to be read.
  const message = isOver
    ? "status_message = $6, answer_json = CASE WHEN answer_json_turn = turn THEN answer_json END,"
    : "";
  const [moved] = await moveRuns(
    db,
    move,
    {
      set: `${ending.isUnstarted ? UNSTARTED : ""} worker = NULL, lease_expires_at = NULL, takes_input = 0, ${message}
            ended_token_hash = COALESCE(token_hash, ended_token_hash), token_hash = NULL,
            exit_code = $2, worked_ms = COALESCE(worked_ms, 0) + $3, finished_at = $4,
            away_ms = away_ms + ${isOver ? "$7" : "$6"}, away_at = NULL`,
      where: "run_id = $5",
      values: [
        ending.exitCode,
        msSince(run.turn_started_at, at),
        isOver ? at : null,
        run.run_id,
        ...(isOver ? [statusText(isCancelled ? cancelled : ending.statusMessage)] : []),
        msSince(run.away_at, at),
      ],
      // That a run is blocked has been told when it was.
      told: isOver ? (dismissal ? eventOfDismissal(dismissal) : {}) : "nothing",
      keepsKey: true,
    },
    at,
  );
  const isStarted = run.turn_started_at !== null && !ending.isUnstarted;
  if (isStarted) await keepTurnUse(db, run, { workedMs: msSince(run.turn_started_at, at) }, at);
  if (isOver && waiting_for !== null) await dropWaits(db, run.run_id);
  if (limit && !isCancelled) await goOnLater(db, run, limit, at);
  else await noteAnswer(db, run.run_id, at);
  if (isCancelled) await dropWaiting(db, run);
  else {
    await (isStarted ? keepUngiven(db, run, at) : takeBack(db, run));
    if (await continueWith(db, run, at)) return move.to;
  }
  const key = moved?.concurrency_key ?? null;
  if (isOver && key !== null) await releaseNext(db, key, at);
  if (move === MOVES.wait) await beginWait(db, run, at);
  else if (isOver && run.has_parent === 1) await tellWaiting(db, run.run_id, at);
  return move.to;
}

/** A turn that was cut short by a provider is gone on with by the next one, unless something else begins that. */
async function goOnLater(
  db: Database,
  { run_id, turn, state, waiting_for }: LeasedRun,
  limit: ProviderLimit,
  at: string,
): Promise<void> {
  await insertRunEvent(db, run_id, "provider_limit", at, { turn, reason: limit.reason });
  if (state === "INPROGRESS" && waiting_for === null) await addOwnMessage(db, run_id, goOnMessage(limit), at);
}

/** The agent has ended while its run waits; what it waits for may have ended before it. */
async function beginWait(db: Database, { run_id, turn }: LeasedRun, at: string): Promise<void> {
  const waits = await findStoredWaits(db, run_id);
  if (!waits) return;
  await insertRunEvent(db, run_id, "oz_run_waiting", at, { turn, run_ids: [...waits.waited] });
  await resume(db, run_id, at);
}

/** A run whose first program could not be started has not started. */
const UNSTARTED = "started_at = CASE WHEN started_at = turn_started_at THEN NULL ELSE started_at END,";

const statusText = (status: RunStatusMessage | null) => status && JSON.stringify(status);

/** @returns whether a message has begun the next turn */
async function continueWith(db: Database, { run_id, waiting_for }: LeasedRun, at: string): Promise<boolean> {
  const waiting = await db.first("SELECT 1 FROM run_followups WHERE run_id = $1 AND turn IS NULL LIMIT 1", [
    run_id,
  ]);
  if (!waiting) return false;
  if (waiting_for !== null) await interruptWaits(db, run_id, "message", at);
  await openNextTurn(db, run_id, at);
  return true;
}

/** A run whose turn has ended. */
interface EndedTurn {
  run_id: string;
  turn: number;
}

/** Whoever cancels a run cancels what was said to it as well: it stays with the turn that was cancelled. */
async function dropWaiting(db: Database, { run_id, turn }: EndedTurn): Promise<void> {
  await db.run("UPDATE run_followups SET turn = $1 WHERE run_id = $2 AND turn IS NULL", [turn, run_id]);
}

/**
 * What a session was to be given and was not, because it ended, waits for the next turn with the rest; so does what it may
 * not have read.
 */
async function keepUngiven(db: Database, { run_id, turn }: EndedTurn, at: string): Promise<void> {
  const unread = await db.all<{ followup_id: string }>(
    `SELECT followup_id FROM run_followups WHERE run_id = $1 AND turn = $2 AND is_unconfirmed = 1 ORDER BY followup_id`,
    [run_id, turn],
  );
  await db.run(
    `UPDATE run_followups SET turn = NULL, given_at = NULL, is_unconfirmed = 0,
       is_repeated = CASE WHEN is_unconfirmed = 1 THEN 1 ELSE is_repeated END
     WHERE run_id = $1 AND turn = $2 AND (given_at IS NULL OR is_unconfirmed = 1)`,
    [run_id, turn],
  );
  if (unread.length > 0) {
    const message_ids = unread.map(({ followup_id }) => followup_id);
    await insertRunEvent(db, run_id, "messages_unconfirmed", at, { turn, message_ids });
  }
}

/**
 * No agent had what was said to a turn whose program did not start. It stays with that turn until someone says more: a
 * turn that it opened by itself would fail in the same way, again and again.
 */
async function takeBack(db: Database, { run_id, turn }: EndedTurn): Promise<void> {
  await db.run("UPDATE run_followups SET given_at = NULL WHERE run_id = $1 AND turn = $2", [run_id, turn]);
}

/**
 * Ends the runs that waited when a backup was made: after it they may have begun, and what began once must not begin
 * again. Runs whose agents were alive then are taken for lost at the next start, like after a crash.
 * @returns how many
 */
export async function abandonRuns(db: Database, message: string, at: string): Promise<number> {
  const status: RunStatusMessage = { message, error_code: "infrastructure_timeout", retryable: true };
  const moved = await moveRuns(
    db,
    MOVES.doubt,
    {
      set: "status_message = $2, finished_at = $1, worker = NULL, lease_expires_at = NULL, token_hash = NULL",
      // One that waits for other runs has no worker either, and its next turn may have begun since.
      where: "(state <> 'INPROGRESS' OR lease_expires_at IS NULL)",
      values: [JSON.stringify(status)],
    },
    at,
  );
  for (const { run_id } of moved) await dropWaits(db, run_id);
  for (const { run_id } of moved) await tellWaiting(db, run_id, at);
  return moved.length;
}
