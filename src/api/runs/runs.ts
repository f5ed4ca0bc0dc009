import { hasEnded } from "../../runs/rules/state.ts";
import type { Run } from "../../runs/run.ts";
import type { RunPosition } from "../../runs/run-query.ts";
import { type ApiRequest, type Endpoint, type Endpoints, keyOf } from "../http/endpoint.ts";
import { longPoll } from "../http/long-poll.ts";
import { runConversationEndpoints } from "./conversation.ts";
import { createRun } from "./create-run.ts";
import { findRun, runInField } from "./find-run.ts";
import { setListLag } from "./list-lag.ts";
import { belongingsOf } from "./run-belongings.ts";
import type { RunDeps } from "./run-deps.ts";
import { readRunFilter } from "./run-filter.ts";
import { runItem } from "./run-item.ts";

export function runEndpoints(deps: RunDeps) {
  const create: Endpoint<"createRun" | "createRunAlias"> = {
    handle: (request) => createRun(request, deps),
  };
  return {
    createRun: create,
    createRunAlias: create,
    listRuns: { handle: (request) => listRuns(request, deps) },
    getRun: { handle: (request) => getRun(request, deps) },
    ...runConversationEndpoints(deps),
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

function isUnderWay({ state }: Run): boolean {
  return !hasEnded(state) && state !== "BLOCKED";
}
