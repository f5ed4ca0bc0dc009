import { hasEnded } from "../../runs/rules/state.ts";
import type { Run } from "../../runs/run.ts";
import type { RunPosition } from "../../runs/run-query.ts";
import { type ApiRequest, type Endpoint, type Endpoints, keyOf } from "../http/endpoint.ts";
import { longPoll } from "../http/long-poll.ts";
import { cutPage } from "../http/page.ts";
import { createRun } from "./create-run.ts";
import { findRun, runInField } from "./find-run.ts";
import { setListLag } from "./list-lag.ts";
import type { RunDeps } from "./run-deps.ts";
import { readRunFilter } from "./run-filter.ts";
import { type RunBelongings, runItem } from "./run-item.ts";

export function runEndpoints(deps: RunDeps) {
  const create: Endpoint<"createRun" | "createRunAlias"> = {
    handle: (request) => createRun(request, deps),
  };
  return {
    createRun: create,
    createRunAlias: create,
    listRuns: { handle: (request) => listRuns(request, deps) },
    getRun: { handle: (request) => getRun(request, deps) },
    getTimeline: { handle: (request) => getTimeline(request, deps) },
  } satisfies Endpoints;
}

async function listRuns(request: ApiRequest<"listRuns">, deps: RunDeps) {
  const key = keyOf(request);
  const { limit, cursor, ...query } = request.query;
  const scope = { operation: request.operation, ...query };
  const after = cursor ? readPosition(deps.cursors.decode(scope, cursor, 1)) : undefined;
  const filter = readRunFilter(query);
  if (!filter) return { json: { runs: [], page_info: { has_next_page: false } } };
  if (filter.ancestorId !== undefined) {
    filter.ancestorId = (await runInField(filter.ancestorId, "ancestor_run_id", request, deps)).id;
  }
  const { runs, next, behindSince } = await deps.runs.list({
    limit,
    sort: query.sort_by,
    descending: query.sort_order === "desc",
    ...(after ? { after } : {}),
    filter: key.factories ? { ...filter, visibleTo: key.factories } : filter,
  });
  setListLag(request.http.response, behindSince);
  const belongings = await belongingsOf(runs, deps);
  const next_cursor = next && deps.cursors.encode(scope, [JSON.stringify(next)]);
  return {
    json: {
      runs: runs.map((run) => runItem(run, belongings(run), deps, request.caller)),
      page_info: { has_next_page: next !== undefined, ...(next_cursor ? { next_cursor } : {}) },
    },
  };
}

/** Where the page before ended, out of a cursor that only this server can have made. */
function readPosition([text = ""]: string[]): RunPosition {
  return JSON.parse(text);
}

/** Long polls: with `wait`, the answer comes when the run has ended or needs somebody, or when the time is up. */
async function getRun(request: ApiRequest<"getRun">, deps: RunDeps) {
  const found = await findRun(request, deps);
  const look = async () => (await deps.runs.find(found.id)) ?? found;
  const run = request.query.wait ? await longPoll(request, deps.commits, look, isUnderWay) : found;
  const belongings = await belongingsOf([run], deps);
  return { json: runItem(run, belongings(run), deps, request.caller) };
}

/** What belongs to runs, read together. */
async function belongingsOf(runs: readonly Run[], { runs: store }: RunDeps) {
  const ids = runs.map(({ id }) => id);
  const [artifacts, usage] = await Promise.all([store.listArtifacts(ids), store.listUsage(ids)]);
  return ({ id }: Run): RunBelongings => ({ artifacts: artifacts[id] ?? [], usage: usage[id] ?? [] });
}

function isUnderWay({ state }: Run): boolean {
  return !hasEnded(state) && state !== "BLOCKED";
}

async function getTimeline(request: ApiRequest<"getTimeline">, { runs, cursors, ...deps }: RunDeps) {
  const run = await findRun(request, { runs, ...deps });
  const { limit, cursor } = request.query;
  const scope = { timeline: run.id };
  const [after] = cursor ? cursors.decode(scope, cursor, 1) : [];
  const found = await runs.listEvents(run.id, { ...(after ? { after } : {}), limit: limit + 1 });
  const { items, pageInfo } = cutPage(found, limit, (last) => cursors.encode(scope, [last.id]));
  return {
    json: {
      events: items.map(({ id, type, at, payload }) => ({
        event_uuid: id,
        run_id: run.id,
        event_type: type,
        occurred_at: at,
        ...(payload ? { payload } : {}),
      })),
      page_info: pageInfo,
    },
  };
}
