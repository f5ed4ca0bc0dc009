import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import { isUuid } from "../../id.ts";
import { runInField, seesRun, visibleTo } from "../../runs/caller.ts";
import { hasEnded, type RunState } from "../../runs/rules/state.ts";
import type { Run } from "../../runs/run.ts";
import type { RunFilter, RunPage, RunPosition, RunQuery } from "../../runs/run-query.ts";
import { refuseUnsupported, type UnsupportedConfig } from "../../runs/start/check-request.ts";
import { startChild } from "../../runs/start/start-child.ts";
import { startRun } from "../../runs/start/start-run.ts";
import { instantIn } from "../../time/instant.ts";
import {
  type ApiRequest,
  type Endpoint,
  type Endpoints,
  type QueryOf,
  type Reply,
  sentKey,
  sourceOf,
  withoutUndefined,
} from "../http/endpoint.ts";
import { setListLag } from "../http/headers.ts";
import { longPoll } from "../http/long-poll.ts";
import { NO_ENVIRONMENT, type TASK_STATUSES } from "../models/runs.ts";
import { continueConversation, runConversationEndpoints } from "./conversations.ts";
import { type CreateRequest, findRun, type RunDeps } from "./find-run.ts";
import { belongingsOf, runItem, runWaiting } from "./run-item.ts";
import { runResources, runStepEndpoints } from "./run-usage.ts";
import { getTree, parentOf } from "./wait-for-runs.ts";

export function runEndpoints(deps: RunDeps) {
  const create: Endpoint<"createRun" | "createRunAlias"> = {
    handle: (request) => createRun(request, deps),
  };
  return {
    createRun: create,
    createRunAlias: create,
    listRuns: { handle: (request) => listRuns(request, deps) },
    getRun: { handle: (request) => getRun(request, deps) },
    getRunTree: { handle: (request) => getTree(request, deps) },
    ...runConversationEndpoints(deps),
    ...runStepEndpoints(deps),
  } satisfies Endpoints;
}

/** A name that is refused has to be one of the public API: one that nothing can send is an error of types here. */
type Refused = Pick<Models["AmbientAgentConfig"], keyof UnsupportedConfig>;

/**
 * `POST /agent/runs`: a run of the agent that is named, or of the only factory's foreman, or of no factory; or a message to the run
 * that has a conversation. With the token of a run, it is a run that the agent of that run starts.
 */
async function createRun(request: CreateRequest, deps: RunDeps): Promise<Reply<"createRun">> {
  const { caller, body, http } = request;
  const asked = { body, source: sourceOf(http.request), sent: sentKey(http.request) };
  if (caller.kind === "run") return { jsonText: await startChild(asked, caller.run, deps) };
  refuseUnsupported({ ...body, config: body.config satisfies Refused | undefined, mode: undefined });
  if (body.conversation_id) return continueConversation(request, body.conversation_id, deps);
  return { jsonText: await startRun(asked, caller.key, deps) };
}

async function listRuns(request: ApiRequest<"listRuns">, deps: RunDeps) {
  const { caller } = request;
  const { limit, cursor, ...query } = request.query;
  const scope = { operation: request.operation, ...query };
  const from = cursor ? readPlace(deps.cursors.decode(scope, cursor, 1)) : {};
  const filter = readRunFilter(query);
  // An agent sees what descends from its own run.
  if (filter && caller.kind === "run") filter.ancestorId ??= caller.run.id;
  if (!filter) return { json: { runs: [], page_info: { has_next_page: false } } };
  if (filter.ancestorId !== undefined) {
    filter.ancestorId = (await runInField(filter.ancestorId, "ancestor_run_id", request, deps)).id;
  }
  const { runs, next, behindSince } = await pageOfRuns(
    {
      limit,
      sort: query.sort_by,
      descending: query.sort_order === "desc",
      filter: { ...filter, ...visibleTo(caller) },
    },
    from,
    deps,
  );
  setListLag(request.http.response, behindSince);
  // What an event has started descends from it, too, and is none of its own.
  const seen = caller.kind === "run" ? runs.filter((run) => seesRun(caller, run)) : runs;
  const belongings = await belongingsOf(seen, deps, visibleTo(caller));
  const next_cursor = next && deps.cursors.encode(scope, [JSON.stringify(next)]);
  return {
    json: {
      runs: seen.map((run) => runItem(run, belongings(run), deps, request.caller)),
      page_info: { has_next_page: next !== undefined, ...(next_cursor ? { next_cursor } : {}) },
    },
  };
}

/** Where a list goes on. */
interface Place {
  after?: RunPosition;
  /** Of a list with the last updated first: when its first run was updated, and when that page was read, in milliseconds. */
  began?: { updated: number; at: number };
  /** Whether the page lists what was updated since then. */
  isMoved?: true;
}

type PlacedPage = Omit<RunPage, "next"> & { next?: Place };

/** Where the page before ended, out of a cursor that only this server can have made. */
function readPlace([text = ""]: string[]): Place {
  const place: Place | RunPosition = JSON.parse(text);
  // Cursors of earlier versions are positions.
  return "length" in place ? { after: place } : place;
}

/**
 * A page of runs. In a list with the last updated first, a run that is updated while somebody pages moves to where they have been:
 * those that were there at the first page and were updated since are the end of the list.
 */
async function pageOfRuns(
  query: RunQuery,
  { after, began, isMoved }: Place,
  { runs, now }: Pick<RunDeps, "runs" | "now">,
): Promise<PlacedPage> {
  if (began && isMoved) return movedRuns(query, { began, ...(after ? { after } : {}) }, runs);
  const at = now().getTime();
  const { next, ...page } = await runs.list({ ...query, ...(after ? { after } : {}) });
  const moves = query.sort === "updated_at" && query.descending;
  const start = began ?? (moves && !after ? beginningOf(page, at) : undefined);
  if (next) return { ...page, next: { after: next, ...(start ? { began: start } : {}) } };
  if (!began) return page;
  const left = query.limit - page.runs.length;
  const { next: further, ...moved } = await movedRuns(
    { ...query, limit: Math.max(left, 1) },
    { began },
    runs,
  );
  if (left > 0)
    return { ...page, runs: [...page.runs, ...moved.runs], ...(further ? { next: further } : {}) };
  return moved.runs.length === 0 ? page : { ...page, next: { began, isMoved: true } };
}

function beginningOf({ runs: [first], behindSince }: RunPage, at: number): Place["began"] {
  if (!first) return undefined;
  const updated = Math.max(Date.parse(first.createdAt), Date.parse(first.updatedAt));
  // What the list does not show yet comes into it where it was updated, behind whoever pages.
  return {
    updated: behindSince === undefined ? updated : Math.min(updated, Date.parse(behindSince) - 1),
    at,
  };
}

/** In the order of their updates: one that is updated again while somebody pages comes once more, and none is left out. */
async function movedRuns(
  { filter, ...query }: RunQuery,
  { began, after = [began.updated, Number.MAX_SAFE_INTEGER] }: Place & Required<Pick<Place, "began">>,
  runs: RunDeps["runs"],
): Promise<PlacedPage> {
  const createdBefore = Math.min(filter.createdBefore ?? Number.POSITIVE_INFINITY, began.at + 1);
  const { next, ...page } = await runs.list({
    ...query,
    descending: false,
    after,
    filter: { ...filter, createdBefore },
  });
  return next ? { ...page, next: { began, isMoved: true, after: next } } : page;
}

/** Long polls: with `wait`, the answer comes when the run has ended or needs somebody, or when the time is up. */
async function getRun(request: ApiRequest<"getRun">, deps: RunDeps) {
  const found = await findRun(request, deps);
  const look = async () => (await deps.runs.find(found.id)) ?? found;
  const run = request.query.wait ? await longPoll(request, deps.commits, look, isUnderWay) : found;
  const [belongings, resources, waiting, parent] = await Promise.all([
    belongingsOf([run], deps, visibleTo(request.caller)),
    runResources(run.id, deps),
    runWaiting(run, request.caller, deps),
    parentOf(run, request.caller, deps),
  ]);
  return {
    json: {
      ...runItem(run, belongings(run), deps, request.caller),
      ...resources,
      ...(waiting ? { waiting } : {}),
      ...(parent ? { parent } : {}),
    },
  };
}

function isUnderWay({ state }: Run): boolean {
  return !hasEnded(state) && state !== "BLOCKED";
}

type ListQuery = Omit<QueryOf<"listRuns">, "limit" | "cursor">;

const STATES_OF_TASKS: Readonly<Record<(typeof TASK_STATUSES)[number], readonly RunState[]>> = {
  running: ["QUEUED", "PENDING", "CLAIMED", "INPROGRESS"],
  failed: ["FAILED", "ERROR"],
  blocked: ["BLOCKED"],
  cancelled: ["CANCELLED"],
  complete: ["SUCCEEDED"],
};

/** What a query asks of runs; nothing when no run can be like that. @throws MillraceError `invalid_request` */
function readRunFilter(query: ListQuery): RunFilter | undefined {
  const states = statesOf(query);
  if (states?.length === 0 || query.execution_location === "LOCAL") return undefined;
  if (query.skill !== undefined && query.skill_spec !== undefined && query.skill !== query.skill_spec) {
    throw new MillraceError(
      "invalid_request",
      "skill and skill_spec have the same meaning but different values here.",
      {
        remedy: "Specify only one of them.",
        extra: { field: "skill_spec" },
      },
    );
  }
  const { environment_id: environment } = query;
  const id = query.q === undefined ? undefined : runIdIn(query.q);
  return withoutUndefined({
    states,
    sources: query.source,
    name: query.name,
    modelId: query.model_id,
    creator: query.creator,
    executor: query.executor,
    environmentId: environment === NO_ENVIRONMENT ? null : environment,
    scheduleId: query.schedule_id,
    automationId: query.automation_id,
    factoryUids: query.factory_uid,
    inFactory: query.factory_only ? true : undefined,
    skill: query.skill ?? query.skill_spec,
    metadata: query.metadata,
    ancestorId: query.ancestor_run_id,
    rerunOf: query.rerun_of?.toLowerCase(),
    artifactType: query.artifact_type,
    createdAfter: instantIn(query.created_after),
    createdBefore: instantIn(query.created_before),
    updatedAfter: instantIn(query.updated_after),
    text: id === undefined ? query.q : undefined,
    id,
    idStart: id === undefined && query.q !== undefined ? idStartIn(query.q) : undefined,
  });
}

/** States and statuses of tasks are two filters: both have to fit. */
function statesOf({ state, task_status: statuses }: ListQuery): RunState[] | undefined {
  if (statuses === undefined) return state;
  const meant = new Set(statuses.flatMap((status) => STATES_OF_TASKS[status]));
  return state === undefined ? [...meant] : state.filter((each) => meant.has(each));
}

/** A run's id, alone or at the end of its link. */
function runIdIn(text: string): string | undefined {
  const last = text.trim().toLowerCase().split("/").at(-1) ?? "";
  return isUuid(last) ? last : undefined;
}

/** The first characters of a run's id, with or without its hyphens. Fewer than eight may be a word. */
function idStartIn(text: string): string | undefined {
  const digits = text.trim().toLowerCase().replaceAll("-", "");
  if (!/^[0-9a-f]{8,31}$/.test(digits)) return undefined;
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20)];
  return [...parts, digits.slice(20)].filter((part) => part !== "").join("-");
}
