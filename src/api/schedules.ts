import { MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import type { ApiKey } from "../principals/principal.ts";
import { recordTag } from "../record-tag.ts";
import type { EnvironmentStore } from "../runs/cloud-environment.ts";
import {
  checkCron,
  checkPrompt,
  nextRun,
  type Schedule,
  type ScheduleOwner,
  type ScheduleSettings,
  type ScheduleStore,
} from "../runs/schedule.ts";
import { checkAgentConfig, checkPromptSize } from "./agent-config-check.ts";
import { type Caller, reachesOwned } from "./authorize.ts";
import type { Cursors } from "./cursor.ts";
import { type ApiRequest, type Endpoint, type Endpoints, keyOf } from "./endpoint.ts";
import { changedMeanwhile, expectedTags } from "./if-match.ts";
import { pageOf } from "./page.ts";
import { type AgentParts, placeOfAgent } from "./reached-agent.ts";
import { checkHarness, checkRunner, withKnownHarness } from "./requested-names.ts";
import { uuidInPath } from "./resource-id.ts";
import { creatorInfo } from "./run-item.ts";
import type { RunParts } from "./run-parts.ts";
import { refuseUnsupported } from "./unsupported.ts";
import { visibleConfig } from "./visible-config.ts";

export interface ScheduleParts extends AgentParts {
  environments: Pick<EnvironmentStore, "find">;
  hasHarness: RunParts["hasHarness"];
  schedules: ScheduleStore;
  /** Called when a schedule is another than it was. */
  onScheduleChange(): void;
  cursors: Cursors;
  now: () => Date;
}

export function scheduleEndpoints(parts: ScheduleParts): Endpoints {
  const { schedules, cursors, now } = parts;
  const setEnabled = (enabled: boolean): Endpoint => ({
    role: "operator",
    handle: async (request) =>
      changeSchedule(await findSchedule(request, parts), { enabled }, request, parts),
  });
  return {
    listSchedules: {
      role: "viewer",
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
    createSchedule: { role: "operator", handle: (request) => createSchedule(request, parts) },
    getSchedule: {
      role: "viewer",
      async handle(request) {
        const schedule = await findSchedule(request, parts);
        return { json: scheduleItem(schedule, now(), request.caller), etag: recordTag(schedule) };
      },
    },
    updateSchedule: {
      role: "operator",
      async handle(request) {
        const schedule = await findSchedule(request, parts);
        const key = keyOf(request);
        const owner = await newOwner(request, key, parts);
        const settings = await settingsIn(request, { ...schedule, ...owner }, parts);
        const changes = { ...keptWhenLeftOut(request.body, settings), ...owner };
        return changeSchedule(schedule, changes, request, parts);
      },
    },
    deleteSchedule: {
      role: "operator",
      async handle(request) {
        const { id } = await findSchedule(request, parts);
        const removed = await schedules.remove(id, expectedTags(request));
        if (removed === "changed") throw changedMeanwhile();
        if (!removed) throw missing(id);
        parts.onScheduleChange();
        return { json: { success: true } };
      },
    },
    pauseSchedule: setEnabled(false),
    resumeSchedule: setEnabled(true),
  };
}

/** What a client of an older version does not know of stays as it is. */
function keptWhenLeftOut(body: ApiRequest["body"], { metadata, ...settings }: ScheduleSettings) {
  return body.metadata === undefined ? settings : { ...settings, metadata };
}

/** The agent that the schedule runs from now on, when the request names one. */
async function newOwner({ body }: ApiRequest, key: ApiKey, parts: ScheduleParts) {
  return body.agent_uid === undefined ? {} : placeOfAgent(key, body.agent_uid, parts);
}

async function createSchedule(request: ApiRequest, parts: ScheduleParts) {
  const key = keyOf(request);
  const at = parts.now();
  const owner = await placeOfAgent(key, request.body.agent_uid, parts);
  const schedule: Schedule = {
    id: newUuid(),
    ...(await settingsIn(request, owner, parts)),
    ...owner,
    createdBy: key.principal,
    updatedBy: key.principal,
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
    lastRan: null,
    lastSpawnError: null,
  };
  await parts.schedules.create(schedule);
  parts.onScheduleChange();
  return { status: 201, json: scheduleItem(schedule, at, request.caller), etag: recordTag(schedule) };
}

async function changeSchedule(
  { id }: Schedule,
  changes: Partial<ScheduleSettings & ScheduleOwner>,
  request: ApiRequest,
  { schedules, onScheduleChange, now }: ScheduleParts,
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
  request: ApiRequest,
  { factoryUid }: Pick<ScheduleOwner, "factoryUid">,
  parts: ScheduleParts,
): Promise<ScheduleSettings> {
  const { name, cron_schedule, prompt, agent_config, enabled, metadata, mode } = request.body;
  const settings = {
    name,
    cron: cron_schedule,
    prompt: prompt ?? "",
    enabled: enabled ?? true,
    agentConfig: agent_config ? withKnownHarness(agent_config) : null,
    metadata: metadata ?? {},
  };
  checkCron(settings.cron, parts.now());
  checkPromptSize(settings.prompt, "prompt");
  refuseUnsupported({ mode, config: agent_config }, "agent_config");
  await checkAgentConfig(agent_config, "agent_config", keyOf(request), parts);
  if (settings.agentConfig) {
    const factory = parts.factories.list().find(({ record }) => record.uid === factoryUid);
    checkHarness(settings.agentConfig, "agent_config", parts);
    checkRunner(settings.agentConfig, "agent_config", factory?.served?.definition);
  }
  checkPrompt(settings);
  return settings;
}

/** @throws MillraceError `resource_not_found`, also for a schedule that the key may not see */
async function findSchedule(request: ApiRequest, { schedules }: ScheduleParts): Promise<Schedule> {
  const id = uuidInPath(request, "scheduleId");
  const schedule = await schedules.find(id);
  if (schedule && seesSchedule(keyOf(request), schedule)) return schedule;
  throw missing(id);
}

function seesSchedule(key: ApiKey, { factoryUid, createdBy }: Schedule): boolean {
  return reachesOwned(key, factoryUid, createdBy.uid);
}

function missing(id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no schedule ${id}.`, {
    remedy: "`millrace schedules list` shows those that the key reaches.",
  });
}

function scheduleItem(schedule: Schedule, now: Date, caller: Caller) {
  const { agentConfig, factoryUid, agentUid } = schedule;
  return {
    id: schedule.id,
    name: schedule.name,
    cron_schedule: schedule.cron,
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
