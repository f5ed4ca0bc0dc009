import { hasEnded } from "../../runs/rules/state.ts";
import type { Run } from "../../runs/run.ts";
import type { RunPage, RunPosition, RunQuery } from "../../runs/run-query.ts";
import { seesRun, visibleTo } from "../http/authorize.ts";
import type { ApiRequest, Endpoint, Endpoints } from "../http/endpoint.ts";
import { setListLag } from "../http/list-lag.ts";
import { longPoll } from "../http/long-poll.ts";
import { runConversationEndpoints } from "./conversation/conversation.ts";
import { getTree, parentOf } from "./family/run-tree.ts";
import { findRun, runInField } from "./find-run.ts";
import { runStepEndpoints } from "./output/run-steps.ts";
import { runResources } from "./output/run-usage.ts";
import { belongingsOf } from "./run-belongings.ts";
import type { RunDeps } from "./run-deps.ts";
import { readRunFilter } from "./run-filter.ts";
import { runItem } from "./run-item.ts";
import { runWaiting } from "./run-waiting.ts";
import { createRun } from "./start/create-run.ts";

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
  const belongings = await belongingsOf(seen, deps);
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
    belongingsOf([run], deps),
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
