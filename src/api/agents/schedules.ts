import type { Models } from "../../client/typed-paths.ts";
import { recordTag } from "../../concurrency/record-tag.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import { type ApiKey, reachesFactory } from "../../principals/principal.ts";
import type { EnvironmentStore } from "../../runs/agents/cloud-environment.ts";
import type { Caller } from "../../runs/caller.ts";
import {
  checkCron,
  checkPrompt,
  nextRun,
  type Schedule,
  type ScheduleOwner,
  type ScheduleSettings,
  type ScheduleStore,
} from "../../runs/schedules/schedule.ts";
import { type AgentDeps, placeOfAgent } from "../../runs/start/agent-of-run.ts";
import {
  type ConfigDeps,
  checkAgentConfig,
  checkHarness,
  checkPromptSize,
  checkRunner,
  refuseUnsupported,
  withKnownHarness,
} from "../../runs/start/check-request.ts";
import {
  type ApiRequest,
  type BodyOf,
  type Called,
  changedMeanwhile,
  type Endpoint,
  type Endpoints,
  expectedTags,
  keyOf,
  uuidInPath,
} from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";
import type { RunDeps } from "../runs/find-run.ts";
import { creatorInfo, visibleConfig } from "../runs/run-item.ts";

export interface ScheduleDeps extends AgentDeps {
  environments: Pick<EnvironmentStore, "find">;
  answers: ConfigDeps["answers"];
  hasHarness: RunDeps["hasHarness"];
  schedules: ScheduleStore;
  /** Called when a schedule is another than it was. */
  onScheduleChange(): void;
  cursors: Cursors;
  now: () => Date;
}

type Body = BodyOf<"createSchedule" | "updateSchedule">;

/** A request that names a schedule. */
interface ScheduleRequest extends Called {
  path: { scheduleId: string };
}

export function scheduleEndpoints(deps: ScheduleDeps) {
  const { schedules, cursors, now } = deps;
  const setEnabled = (enabled: boolean): Endpoint<"pauseSchedule" | "resumeSchedule"> => ({
    handle: async (request) => changeSchedule(await findSchedule(request, deps), { enabled }, request, deps),
  });
  return {
    listSchedules: {
      async handle(request) {
        const key = keyOf(request);
        const visible = (await schedules.list()).filter((schedule) => seesSchedule(key, schedule));
        const { items, pageInfo } = pageOf(visible, ({ name, id }) => `${name}\0${id}`, request, cursors);
        return {
          json: {
            schedules: items.map((item) => scheduleItem(item, now(), request.caller)),
            page_info: pageInfo,
          },
        };
      },
    },
    createSchedule: { handle: (request) => createSchedule(request, deps) },
    getSchedule: {
      async handle(request) {
        const schedule = await findSchedule(request, deps);
        return { json: scheduleItem(schedule, now(), request.caller), etag: recordTag(schedule) };
      },
    },
    updateSchedule: {
      async handle(request) {
        const schedule = await findSchedule(request, deps);
        const key = keyOf(request);
        const owner = await newOwner(request.body, key, deps);
        const settings = await settingsIn(request, { ...schedule, ...owner }, deps);
        const changes = { ...keptWhenLeftOut(request.body, settings), ...owner };
        return changeSchedule(schedule, changes, request, deps);
      },
    },
    deleteSchedule: {
      async handle(request) {
        const { id } = await findSchedule(request, deps);
        const removed = await schedules.remove(id, expectedTags(request));
        if (removed === "changed") throw changedMeanwhile();
        if (!removed) throw missing(id);
        deps.onScheduleChange();
        return { json: { success: true } };
      },
    },
    pauseSchedule: setEnabled(false),
    resumeSchedule: setEnabled(true),
  } satisfies Endpoints;
}

/** What a client of an older version does not know of stays as it is. */
function keptWhenLeftOut(body: Body, { metadata, timezone, ...settings }: ScheduleSettings) {
  return {
    ...settings,
    ...(body.metadata === undefined ? {} : { metadata }),
    ...(body.timezone === undefined ? {} : { timezone }),
  };
}

/** The agent that the schedule runs from now on, when the request names one. */
async function newOwner(body: Body, key: ApiKey, deps: ScheduleDeps) {
  return body.agent_uid === undefined ? {} : placeOfAgent(key, body.agent_uid, deps);
}

async function createSchedule(request: ApiRequest<"createSchedule">, deps: ScheduleDeps) {
  const key = keyOf(request);
  const at = deps.now();
  const owner = await placeOfAgent(key, request.body.agent_uid, deps);
  const schedule: Schedule = {
    id: newUuid(),
    ...(await settingsIn(request, owner, deps)),
    ...owner,
    createdBy: key.principal,
    updatedBy: key.principal,
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
    lastRan: null,
    lastSpawnError: null,
  };
  await deps.schedules.create(schedule);
  deps.onScheduleChange();
  return { status: 201, json: scheduleItem(schedule, at, request.caller), etag: recordTag(schedule) };
}

async function changeSchedule(
  { id }: Schedule,
  changes: Partial<ScheduleSettings & ScheduleOwner>,
  request: Pick<ApiRequest, "caller" | "http">,
  { schedules, onScheduleChange, now }: ScheduleDeps,
) {
  const at = now();
  const edit = {
    changes,
    editor: keyOf(request).principal,
    at: at.toISOString(),
    expected: expectedTags(request),
  };
  const changed = await schedules.update(id, edit);
  if (changed === "changed") throw changedMeanwhile();
  if (!changed) throw missing(id);
  onScheduleChange();
  return { json: scheduleItem(changed, at, request.caller), etag: recordTag(changed) };
}

/** @throws MillraceError `invalid_request` for a schedule that could not run */
async function settingsIn(
  request: Called & { body: Body },
  { factoryUid, timezone: before = "UTC" }: Pick<ScheduleOwner, "factoryUid"> & { timezone?: string },
  deps: ScheduleDeps,
): Promise<ScheduleSettings> {
  const {
    name,
    cron_schedule,
    timezone = before,
    prompt,
    agent_config,
    enabled,
    metadata,
    mode,
  } = request.body;
  const settings = {
    name,
    cron: cron_schedule,
    timezone,
    prompt: prompt ?? "",
    enabled: enabled ?? true,
    agentConfig: agent_config ? withKnownHarness(agent_config) : null,
    metadata: metadata ?? {},
  };
  checkCron(settings, deps.now());
  checkPromptSize(settings.prompt, "prompt");
  refuseUnsupported({ mode, config: agent_config }, "agent_config");
  await checkAgentConfig(agent_config, "agent_config", keyOf(request), deps);
  if (settings.agentConfig) {
    const factory = deps.factories.list().find(({ record }) => record.uid === factoryUid);
    checkHarness(settings.agentConfig, "agent_config", deps);
    checkRunner(settings.agentConfig, "agent_config", factory?.active?.definition);
  }
  checkPrompt(settings);
  return settings;
}

/** @throws MillraceError `resource_not_found`, also for a schedule that the key may not see */
async function findSchedule(request: ScheduleRequest, { schedules }: ScheduleDeps): Promise<Schedule> {
  const id = uuidInPath(request, "scheduleId");
  const schedule = await schedules.find(id);
  if (schedule && seesSchedule(keyOf(request), schedule)) return schedule;
  throw missing(id);
}

function seesSchedule(key: ApiKey, { factoryUid }: Schedule): boolean {
  return reachesFactory(key, factoryUid);
}

function missing(id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no schedule ${id}.`, {
    remedy: "`millrace schedules list` shows the schedules that the key can access.",
  });
}

function scheduleItem(schedule: Schedule, now: Date, caller: Caller): Models["ScheduledAgentItem"] {
  const { agentConfig, factoryUid, agentUid } = schedule;
  return {
    id: schedule.id,
    name: schedule.name,
    cron_schedule: schedule.cron,
    timezone: schedule.timezone,
    prompt: schedule.prompt,
    enabled: schedule.enabled,
    metadata: schedule.metadata,
    ...(agentConfig === null ? {} : { agent_config: visibleConfig(agentConfig, caller) }),
    created_at: schedule.createdAt,
    updated_at: schedule.updatedAt,
    created_by: creatorInfo(schedule.createdBy),
    updated_by: creatorInfo(schedule.updatedBy),
    history: { last_ran: schedule.lastRan, next_run: nextRun(schedule, now) },
    last_spawn_error: schedule.lastSpawnError,
    scope: { type: "Team" },
    ...(factoryUid === null ? {} : { factory_uid: factoryUid }),
    ...(agentUid === null ? {} : { agent_uid: agentUid }),
  };
}
