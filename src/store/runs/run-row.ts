import type { Run } from "../../runs/run.ts";
import { demandedPlacement } from "../run-keys/held-placement.ts";

/** A run as the database names it. */
export interface RunRow {
  run_id: string;
  factory_uid: string | null;
  automation_uid: string | null;
  agent_uid: string | null;
  delivery_id: string | null;
  webhook_uid: string | null;
  title: string;
  prompt: string;
  source: Run["source"];
  creator: string;
  /** Null for a run that acts as its creator. */
  executor: string | null;
  ancestors: string;
  schedule_id: string | null;
  schedule: string | null;
  config: string;
  execution: string;
  metadata: string;
  state: Run["state"];
  ticket: number;
  turn: number;
  session_id: string | null;
  harness_session: string | null;
  answer: string | null;
  status_message: string | null;
  exit_code: number | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  finished_at: string | null;
  worked_ms: number | null;
  away_ms: number | null;
  cancel_requested_at: string | null;
  lease_expires_at: string | null;
  rerun_of: string | null;
  waiting_for: string | null;
  plan_state: Run["planState"];
  status_line: string | null;
  task_uid: string | null;
  placement: string;
  home: string | null;
}

export const RUN_COLUMNS = `
  run_id, factory_uid, automation_uid, agent_uid, delivery_id, webhook_uid, title, prompt, source, creator, executor,
  ancestors, schedule_id, schedule, config, execution, metadata, state, ticket, turn, session_id, harness_session,
  answer, status_message, exit_code, created_at, updated_at, started_at, finished_at, worked_ms, away_ms, cancel_requested_at,
  lease_expires_at, rerun_of, waiting_for, plan_state, status_line, task_uid, placement, home`;

/**
 * Reads rows, whose runs share what is the same text in each: most of a page has the same creator and config, which is read once and
 * sent to another thread once.
 */
export function toRuns(rows: readonly RunRow[]): Run[] {
  const known = new Map<string, unknown>();
  const parse = (text: string) => {
    if (!known.has(text)) known.set(text, JSON.parse(text));
    return known.get(text);
  };
  return rows.map((row) => toRun(row, parse));
}

export function toRun(row: RunRow, parse: (text: string) => ReturnType<typeof JSON.parse> = JSON.parse): Run {
  return {
    id: row.run_id,
    factoryUid: row.factory_uid,
    automationUid: row.automation_uid,
    agentUid: row.agent_uid,
    deliveryId: row.delivery_id,
    webhookUid: row.webhook_uid,
    title: row.title,
    prompt: row.prompt,
    source: row.source,
    creator: parse(row.creator),
    executor: parse(row.executor ?? row.creator),
    ancestors: parse(row.ancestors),
    scheduleId: row.schedule_id,
    ...(row.schedule === null ? {} : { schedule: JSON.parse(row.schedule) }),
    config: parse(row.config),
    execution: parse(row.execution),
    metadata: parse(row.metadata),
    state: row.state,
    isLeased: row.lease_expires_at !== null,
    turn: row.turn,
    sessionId: row.session_id,
    harnessSession: row.harness_session,
    answer: row.answer,
    statusMessage: row.status_message === null ? null : JSON.parse(row.status_message),
    exitCode: row.exit_code,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    workedMs: row.worked_ms,
    awayMs: row.away_ms,
    cancelRequestedAt: row.cancel_requested_at,
    rerunOf: row.rerun_of,
    waitingFor: row.waiting_for === null ? null : JSON.parse(row.waiting_for),
    planState: row.plan_state,
    statusLine: row.status_line,
    taskUid: row.task_uid,
    placement: demandedPlacement(row.placement),
  };
}

/** What tells whether a run descends from another one. */
export function relativeOf({
  ancestors,
  execution,
  factory_uid: factoryUid,
}: Pick<RunRow, "ancestors" | "execution" | "factory_uid">): Pick<
  Run,
  "ancestors" | "execution" | "factoryUid"
> {
  return { ancestors: JSON.parse(ancestors), execution: JSON.parse(execution), factoryUid };
}
