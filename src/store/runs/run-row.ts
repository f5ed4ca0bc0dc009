import { newUuid } from "../../id.ts";
import { DEFAULT_MODEL } from "../../runs/rules/provider-limit.ts";
import { queueAt } from "../../runs/rules/share.ts";
import type { NewRun, Run } from "../../runs/run.ts";
import type { RunExecution } from "../../runs/run-config.ts";
import { changeRow } from "../changes/change-store.ts";
import { type NewRow, tableOf } from "../new-row.ts";
import { demandedPlacement, heldPlacement } from "./lanes.ts";
import { CREATED, RUN_EVENTS } from "./run-events.ts";

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
  answer_json: string | null;
  answer_json_turn: number | null;
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
  root_automation_uid: string | null;
  placement: string;
  home: string | null;
  provider_model: string | null;
}

export const RUN_COLUMNS = `
  run_id, factory_uid, automation_uid, agent_uid, delivery_id, webhook_uid, title, prompt, source, creator, executor,
  ancestors, schedule_id, schedule, config, execution, metadata, state, ticket, turn, session_id, harness_session,
  answer, answer_json, answer_json_turn, status_message, exit_code, created_at, updated_at, started_at, finished_at, worked_ms, away_ms, cancel_requested_at,
  lease_expires_at, rerun_of, waiting_for, plan_state, status_line, task_uid,
  root_automation_uid, placement, home, provider_model`;

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
    // Without a lease it is that of the last turn.
    ...withModel(parse(row.execution), row.lease_expires_at === null ? null : row.provider_model),
    metadata: parse(row.metadata),
    state: row.state,
    isLeased: row.lease_expires_at !== null,
    turn: row.turn,
    sessionId: row.session_id,
    harnessSession: row.harness_session,
    answer: row.answer,
    answerJson: row.answer_json,
    answerJsonTurn: row.answer_json_turn,
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
    rootAutomationUid: row.root_automation_uid,
    placement: demandedPlacement(row.placement),
  };
}

/** A turn that uses another model than its run's own does so in all that is asked of it: how it is started, and what it costs. */
function withModel(execution: RunExecution, model: string | null): Pick<Run, "execution" | "fallbackOf"> {
  if (model === null) return { execution };
  const { harness } = execution;
  return {
    execution: { ...execution, harness: { ...harness, model } },
    fallbackOf: harness.model ?? DEFAULT_MODEL,
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

/** What a run is given that starts it. */
export interface StartingDelivery {
  id: string;
  /** The size of its body in bytes. */
  size: number;
}

const RUNS = tableOf("runs", {
  owner: "run_id",
  columns: `
    run_id, factory_uid, automation_uid, agent_uid, delivery_id, webhook_uid, title, prompt, source,
    creator, creator_uid, executor, ancestors, schedule_id, config, config_name, model_id, execution,
    metadata, state, created_at, updated_at, schedule, rerun_of, away_ms, family_id, task_uid, placement,
    concurrency_key, key_until, held_until, window_opened_at, window_setting,
    root_automation_uid, queue_at`,
});

const RUN_ATTACHMENTS = tableOf("run_attachments", {
  owner: "run_id",
  columns: "run_id, name, mime_type, size, content, delivery_id",
});

/** What keeps a run from being claimed that belongs to a key. */
export interface RunHold {
  key: string;
  /** Nothing where runs of the key do not wait for each other. */
  keyUntil: string | null;
  heldUntil: string | null;
  windowOpenedAt: string | null;
  windowSetting: string | null;
}

/** What is stored with a run that waits. */
interface RunPlace {
  delivery: StartingDelivery | null;
  taskUid: string | null;
  at: string;
  hold?: RunHold | null;
  /** The automation of the root of its family. */
  rootAutomationUid?: string | null;
}

/** The rows of a run that waits: itself, what it was given, and what its timeline and the streams tell of it. */
export function runRows(run: NewRun, place: RunPlace): NewRow[] {
  const { delivery, at } = place;
  return [
    runRow(run, place),
    ...run.attachments.map((attachment) => attachmentRow(run.id, attachment, delivery)),
    { table: RUN_EVENTS, values: [newUuid(), run.id, CREATED, at, JSON.stringify({ turn: 1 })] },
    changeRow({
      kind: "run",
      subject: run.id,
      factoryUid: run.factoryUid,
      webhookUid: null,
      status: "QUEUED",
      at,
    }),
  ];
}

function runRow(
  run: NewRun,
  { delivery, taskUid, at, hold = null, rootAutomationUid = null }: RunPlace,
): NewRow {
  const values = [
    run.id,
    run.factoryUid,
    run.automationUid,
    run.agentUid,
    delivery?.id ?? run.rerun?.deliveryId ?? null,
    run.webhookUid,
    run.title,
    run.prompt,
    run.source,
    JSON.stringify(run.creator),
    run.creator.uid,
    run.executor.uid === run.creator.uid ? null : JSON.stringify(run.executor),
    JSON.stringify(run.ancestors),
    run.scheduleId,
    JSON.stringify(run.config),
    run.config.name ?? null,
    run.config.model_id ?? null,
    JSON.stringify(run.execution),
    JSON.stringify(run.metadata),
    "QUEUED",
    at,
    at,
    run.schedule ? JSON.stringify(run.schedule) : null,
    run.rerun?.of ?? null,
    0,
    run.ancestors[0] ?? null,
    taskUid,
    hold?.heldUntil ? heldPlacement(run.placement) : run.placement,
    hold?.key ?? null,
    hold?.keyUntil ?? null,
    hold?.heldUntil ?? null,
    hold?.windowOpenedAt ?? null,
    hold?.windowSetting ?? null,
    rootAutomationUid,
    queueAt(run.config.priority, at),
  ];
  return { table: RUNS, values };
}

function attachmentRow(
  runId: string,
  { name, mimeType, ...attachment }: NewRun["attachments"][number],
  delivery: StartingDelivery | null,
): NewRow {
  const content = "content" in attachment ? attachment.content : null;
  const size = content?.length ?? delivery?.size ?? 0;
  const deliveryId = content ? null : (delivery?.id ?? null);
  return { table: RUN_ATTACHMENTS, values: [runId, name, mimeType, size, content, deliveryId] };
}
