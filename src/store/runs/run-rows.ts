import { newUuid } from "../../id.ts";
import type { NewRun } from "../../runs/run.ts";
import { type NewRow, tableOf } from "../new-row.ts";
import { heldPlacement } from "../run-keys/held-placement.ts";
import { changeRow } from "../tables/change-store.ts";
import { CREATED, RUN_EVENTS } from "./run-events.ts";

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
    concurrency_key, key_until, held_until, window_opened_at, window_setting`,
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

/** The rows of a run that waits: itself, what it was given, and what its timeline and the streams tell of it. */
export function runRows(
  run: NewRun,
  {
    delivery,
    taskUid,
    at,
    hold = null,
  }: { delivery: StartingDelivery | null; taskUid: string | null; at: string; hold?: RunHold | null },
): NewRow[] {
  return [
    runRow(run, { deliveryId: delivery?.id ?? run.rerun?.deliveryId ?? null, taskUid, at, hold }),
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
  {
    deliveryId,
    taskUid,
    at,
    hold,
  }: { deliveryId: string | null; taskUid: string | null; at: string; hold: RunHold | null },
): NewRow {
  const values = [
    run.id,
    run.factoryUid,
    run.automationUid,
    run.agentUid,
    deliveryId,
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
