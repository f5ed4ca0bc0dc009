import type { Models } from "../../client/typed-paths.ts";
import { type ApiKey, type Principal, reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { type Caller, visibleTo } from "../../runs/caller.ts";
import { sumCosts, type TurnUsage } from "../../runs/output/usage.ts";
import type { Question } from "../../runs/rules/agent-report.ts";
import type { Artifact } from "../../runs/rules/artifact.ts";
import { skillReference } from "../../runs/rules/skill-reference.ts";
import { successRate } from "../../runs/rules/success-rate.ts";
import { waitingOf } from "../../runs/rules/waiting.ts";
import type { Run } from "../../runs/run.ts";
import type { AmbientAgentConfig, RunTrigger } from "../../runs/run-config.ts";
import type { RunSummary } from "../../runs/run-query.ts";
import type { RunSchedule } from "../../runs/run-source.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { isoDuration } from "../../time/duration.ts";
import { artifactView } from "./artifacts.ts";
import type { RunDeps } from "./find-run.ts";
import { requestUsage } from "./run-usage.ts";

/** What is kept of a run beside it. */
interface RunBelongings {
  artifacts: readonly Artifact[];
  usage: readonly TurnUsage[];
  /** Of a blocked run. */
  question?: Question | undefined;
  /** What its family has cost: of a root, where a cost is known. */
  familyCostUsd?: number | null | undefined;
}

/** A run in the shape of the public API. */
export function runItem(
  run: Run,
  { artifacts, usage, question, familyCostUsd = null }: RunBelongings,
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
    answer_json: run.answerJson === null ? null : JSON.parse(run.answerJson),
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
    ...(familyCostUsd === null ? {} : { family_cost_usd: familyCostUsd }),
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

/**
 * What belongs to runs, read together. Only blocked ones have a question to read.
 * @param seen the factories whose runs count in the cost of a family
 */
export async function belongingsOf(
  runs: readonly Run[],
  {
    runs: store,
  }: { runs: Pick<RunStore, "listArtifacts" | "listUsage" | "listQuestions" | "listFamilyCosts"> },
  seen: { visibleTo?: readonly string[] },
): Promise<(run: Run) => RunBelongings> {
  const ids = runs.map(({ id }) => id);
  const roots = runs.filter(({ ancestors }) => ancestors.length === 0).map(({ id }) => id);
  const blocked = runs.filter(({ state }) => state === "BLOCKED").map(({ id }) => id);
  const none: Record<string, Question> = {};
  const [artifacts, usage, familyCosts, questions] = await Promise.all([
    store.listArtifacts(ids),
    store.listUsage(ids),
    store.listFamilyCosts(roots, seen.visibleTo ?? null),
    blocked.length > 0 ? store.listQuestions(blocked) : none,
  ]);
  return ({ id }) => ({
    artifacts: artifacts[id] ?? [],
    usage: usage[id] ?? [],
    question: questions[id],
    familyCostUsd: familyCosts[id],
  });
}

const MASK = "********";

/**
 * The configuration of a run as a caller may see it. Headers and variables of MCP servers hold what opens them, which
 * only reading does not need: a viewer sees their names alone.
 */
export function visibleConfig(config: AmbientAgentConfig, caller: Caller): AmbientAgentConfig {
  const { mcp_servers: servers } = config;
  if (caller.kind !== "key" || caller.key.role !== "viewer" || !isObject(servers)) return config;
  const masked = Object.entries(servers).map(([name, server]) => [
    name,
    isObject(server) ? maskServer(server) : server,
  ]);
  return { ...config, mcp_servers: Object.fromEntries(masked) };
}

function maskServer(server: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values = Object.entries(server).map(([key, value]) =>
    (key === "headers" || key === "env") && isObject(value)
      ? [key, Object.fromEntries(Object.keys(value).map((name) => [name, MASK]))]
      : [key, value],
  );
  return Object.fromEntries(values);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/**
 * Why a queued run waits; nothing for any other run. Who reaches some factories only is not told how many runs the others have.
 */
export async function runWaiting(
  run: Run,
  caller: Caller,
  { queue, factories }: Pick<RunDeps, "queue" | "factories">,
): Promise<Models["RunWaiting"] | undefined> {
  const within = visibleTo(caller).visibleTo ?? null;
  const wait = run.state === "QUEUED" ? await queue.whyWaiting(run.id, within) : undefined;
  if (!wait) return undefined;
  const factory = run.factoryUid === null ? undefined : factories.find(run.factoryUid);
  return waitingOf(wait, {
    factory: factory?.record.name ?? run.factoryUid ?? "",
    automation: run.config.name ?? run.title,
    isBound: within !== null,
  });
}

const NONE: Omit<RunSummary, "uid"> = { last: null, succeeded: 0, failed: 0, cancelled: 0 };

/** How the runs of something went. A last run that the key does not reach is left out. */
export function runSummaryView(summary: RunSummary | undefined, key: ApiKey): Models["RunSummary"] {
  const { last, succeeded, failed, cancelled } = summary ?? NONE;
  return {
    last_run:
      last && reachesFactory(key, last.factoryUid)
        ? {
            run_id: last.id,
            title: last.title,
            state: last.state,
            created_at: last.createdAt,
            finished_at: last.finishedAt,
            delivery_id: last.deliveryId,
            webhook_uid: last.webhookUid,
            pull_request_url: last.pullRequestUrl,
          }
        : null,
    ended_runs: { succeeded, failed, cancelled },
    success_rate: successRate({ succeeded, failed }),
  };
}

interface TriggerDeps {
  publicUrl: () => string;
  factories: Pick<Factories, "list">;
}

type Origin = Pick<
  Run,
  "metadata" | "source" | "factoryUid" | "automationUid" | "webhookUid" | "deliveryId" | "scheduleId"
>;

/** Where to look at what has started a run: its ticket, else its delivery, its automation's schedule, or its own. */
function triggerUrl(run: Origin, deps: TriggerDeps): string | undefined {
  return ticketUrl(run) ?? pageOfTrigger(run, deps);
}

/** Metadata can be any text: only a web address is followed. */
function ticketUrl({ metadata: { ticket_url = "" } }: Origin): string | undefined {
  return URL.canParse(ticket_url) && /^https?:$/.test(new URL(ticket_url).protocol) ? ticket_url : undefined;
}

function pageOfTrigger(run: Origin, { publicUrl, factories }: TriggerDeps): string | undefined {
  const factory = factories.list().find(({ record }) => record.uid === run.factoryUid);
  const page = factory && `${publicUrl()}/factories/${encodeURIComponent(factory.record.name)}`;
  if (page && run.webhookUid && run.deliveryId) {
    return `${page}/webhooks/${run.webhookUid}?delivery=${run.deliveryId}`;
  }
  if (run.source !== "SCHEDULED_AGENT") return undefined;
  if (run.automationUid === null) return `${publicUrl()}/schedules`;
  const automation = factory?.active?.resources.find(
    ({ kind, uid, deleted }) => kind === "automation" && uid === run.automationUid && !deleted,
  );
  return automation && `${page}/automations/${encodeURIComponent(automation.name)}`;
}
