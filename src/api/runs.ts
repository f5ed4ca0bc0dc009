import type { Run } from "../runs/run.ts";
import type { RunPosition } from "../runs/run-query.ts";
import { hasEnded } from "../runs/state.ts";
import { createRun } from "./create-run.ts";
import { type ApiRequest, type Endpoint, type Endpoints, keyOf } from "./endpoint.ts";
import { findRun, runInField } from "./find-run.ts";
import { longPoll } from "./long-poll.ts";
import { cutPage } from "./page.ts";
import { readRunFilter } from "./run-filter.ts";
import { type RunBelongings, runItem } from "./run-item.ts";
import type { RunParts } from "./run-parts.ts";

export function runEndpoints(parts: RunParts): Endpoints {
  const create: Endpoint = { role: "operator", handle: (request) => createRun(request, parts) };
  return {
    createRun: create,
    createRunAlias: create,
    listRuns: { role: "viewer", handle: (request) => listRuns(request, parts) },
    getRun: { role: "viewer", runToken: true, handle: (request) => getRun(request, parts) },
    getTimeline: { role: "viewer", runToken: true, handle: (request) => getTimeline(request, parts) },
  };
}

async function listRuns(request: ApiRequest, parts: RunParts) {
  const key = keyOf(request);
  const { limit, cursor, ...query } = request.query;
  const scope = { operation: request.operation, ...query };
  const after = cursor ? readPosition(parts.cursors.decode(scope, cursor, 1)) : undefined;
  const filter = readRunFilter(query);
  if (!filter) return { json: { runs: [], page_info: { has_next_page: false } } };
  if (filter.ancestorId !== undefined) {
    filter.ancestorId = (await runInField(filter.ancestorId, "ancestor_run_id", request, parts)).id;
  }
  const { runs, next } = await parts.runs.list({
    limit,
    sort: query.sort_by,
    descending: query.sort_order === "desc",
    ...(after ? { after } : {}),
    filter: key.factories
      ? { ...filter, visibleTo: { factories: key.factories, principalUid: key.principal.uid } }
      : filter,
  });
  const belongings = await belongingsOf(runs, parts);
  const next_cursor = next && parts.cursors.encode(scope, [JSON.stringify(next)]);
  return {
    json: {
      runs: runs.map((run) => runItem(run, belongings(run), parts, request.caller)),
      page_info: { has_next_page: next !== undefined, ...(next_cursor ? { next_cursor } : {}) },
    },
  };
}

/** Where the page before ended, out of a cursor that only this server can have made. */
function readPosition([text = ""]: string[]): RunPosition {
  return JSON.parse(text);
}

/** Long polls: with `wait`, the answer comes when the run has ended or needs somebody, or when the time is up. */
async function getRun(request: ApiRequest, parts: RunParts) {
  const found = await findRun(request, parts);
  const look = async () => (await parts.runs.find(found.id)) ?? found;
  const run = request.query.wait ? await longPoll(request, parts.commits, look, isUnderWay) : found;
  const belongings = await belongingsOf([run], parts);
  return { json: runItem(run, belongings(run), parts, request.caller) };
}

/** What belongs to runs, read together. */
async function belongingsOf(runs: readonly Run[], { runs: store }: RunParts) {
  const ids = runs.map(({ id }) => id);
  const [artifacts, usage] = await Promise.all([store.listArtifacts(ids), store.listUsage(ids)]);
  return ({ id }: Run): RunBelongings => ({ artifacts: artifacts[id] ?? [], usage: usage[id] ?? [] });
}

function isUnderWay({ state }: Run): boolean {
  return !hasEnded(state) && state !== "BLOCKED";
}

async function getTimeline(request: ApiRequest, { runs, cursors, ...parts }: RunParts) {
  const run = await findRun(request, { runs, ...parts });
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
