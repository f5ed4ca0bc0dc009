import type { Models } from "../../client/typed-paths.ts";
import type { Principal } from "../../principals/principal.ts";
import { sumCosts, type TurnUsage } from "../../runs/output/usage.ts";
import type { Question } from "../../runs/rules/agent-report.ts";
import type { Artifact } from "../../runs/rules/artifact.ts";
import { skillReference } from "../../runs/rules/skill-reference.ts";
import type { Run } from "../../runs/run.ts";
import type { RunTrigger } from "../../runs/run-config.ts";
import type { RunSchedule } from "../../runs/run-source.ts";
import { isoDuration } from "../../time/duration.ts";
import type { Caller } from "../http/authorize.ts";
import { type TriggerDeps, triggerUrl } from "../webhooks/trigger-url.ts";
import { artifactView } from "./output/artifact-view.ts";
import { requestUsage } from "./output/run-usage.ts";
import { visibleConfig } from "./visible-config.ts";

/** What is kept of a run beside it. */
export interface RunBelongings {
  artifacts: readonly Artifact[];
  usage: readonly TurnUsage[];
  /** Of a blocked run. */
  question?: Question | undefined;
}

/** A run in the shape of the public API. */
export function runItem(
  run: Run,
  { artifacts, usage, question }: RunBelongings,
  deps: TriggerDeps,
  caller: Caller,
): Models["RunItem"] {
  const publicUrl = deps.publicUrl();
  const trigger = triggerUrl(run, deps);
  const parent = run.ancestors.at(-1);
  const cost = sumCosts(usage);
  return {
    run_id: run.id,
    task_id: run.id,
    root_run_id: run.ancestors[0] ?? run.id,
    ...(parent === undefined ? {} : { parent_run_id: parent }),
    ...(run.rerunOf === null ? {} : { rerun_of: run.rerunOf }),
    title: run.title,
    prompt: run.prompt,
    submitted_prompt: run.prompt,
    state: run.state,
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    ...(run.finishedAt ? runTime(run) : {}),
    ...workTime(run),
    ...(run.statusMessage ? { status_message: run.statusMessage } : {}),
    ...(run.statusMessage?.error_code ? { error_category: run.statusMessage.error_code } : {}),
    ...(run.answer === null ? {} : { answer: run.answer }),
    ...(run.statusLine === null ? {} : { status_line: run.statusLine }),
    ...(run.state === "BLOCKED" && question ? { question: questionView(question) } : {}),
    source: run.source,
    execution_location: "REMOTE",
    conversation_id: run.id,
    ...(trigger === undefined ? {} : { trigger_url: trigger }),
    ...(run.sessionId ? { session_id: run.sessionId, session_link: `${publicUrl}/runs/${run.id}` } : {}),
    creator: creatorInfo(run.creator),
    executor: creatorInfo(run.executor),
    agent_config: visibleConfig(run.config, caller),
    metadata: run.metadata,
    ...(run.config.skill_spec ? { agent_skill: skillInfo(run.config.skill_spec) } : {}),
    ...(run.scheduleId !== null && run.schedule
      ? { schedule: scheduleInfo(run.scheduleId, run.schedule) }
      : {}),
    ...(usage.length > 0 ? { request_usage: requestUsage(usage) } : {}),
    ...(cost === null ? {} : { cost_usd: cost }),
    artifacts: artifacts.map(artifactView),
    ...(run.execution.requestedCheckout ? { checkout: run.execution.requestedCheckout } : {}),
    is_sandbox_running: isAtWork(run),
    ...(run.waitingFor && run.waitingFor.length > 0 ? { waiting_for: run.waitingFor } : {}),
    is_run_type_cancellable: true,
    scope: { type: "Team" },
    ...(run.taskUid === null ? {} : { task_uid: run.taskUid }),
    ...(run.factoryUid === null ? {} : { factory_uid: run.factoryUid }),
    ...(run.automationUid === null ? {} : { automation_id: run.automationUid }),
    ...(run.deliveryId === null ? {} : { delivery_id: run.deliveryId }),
    ...(run.webhookUid === null ? {} : { webhook_uid: run.webhookUid }),
    ...(run.execution.trigger ? { trigger: triggerInfo(run.execution.trigger) } : {}),
  };
}

function questionView({ askedAt, ...question }: Question): Models["RunQuestion"] {
  return { ...question, asked_at: askedAt };
}

/** Whether a program of the run is alive, in its sandbox. */
export function isAtWork({ isLeased, state }: Pick<Run, "isLeased" | "state">): boolean {
  return isLeased && (state === "INPROGRESS" || state === "BLOCKED");
}

/** The skill that gave the run its name. */
function skillInfo(spec: string) {
  const { name } = skillReference(spec);
  return { name, full_path: spec.slice(spec.indexOf(":") + 1) };
}

function scheduleInfo(id: string, { name, cron }: RunSchedule) {
  return { schedule_id: id, schedule_name: name, cron_schedule: cron };
}

function triggerInfo({ event, runId, taskUid }: RunTrigger) {
  return {
    event,
    ...(runId === undefined ? {} : { run_id: runId }),
    ...(taskUid === undefined ? {} : { task_uid: taskUid }),
  };
}

/** A principal as the public API shows who created something. */
export function creatorInfo({ type, uid, displayName }: Principal) {
  return { type, uid, display_name: displayName };
}

/** How long agents were alive for a run; one of an older store had one turn, and knows when it began. */
function runTime({ workedMs, startedAt, finishedAt }: Run) {
  if (!startedAt || !finishedAt) return {};
  return { run_time: isoDuration(Math.max(0, workedMs ?? Date.parse(finishedAt) - Date.parse(startedAt))) };
}

/** The same without the time in which they have waited for a person. */
function workTime({ workedMs, awayMs }: Run) {
  if (workedMs === null || awayMs === null) return {};
  return { work_time: isoDuration(Math.max(0, workedMs - awayMs)) };
}
