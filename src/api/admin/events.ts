import type { CommitSignal } from "../../concurrency/commit-signal.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { reachesFactory } from "../http/authorize.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";
import { lastEventId, openEventStream } from "../http/event-stream.ts";
import type { ChangeRecord, ChangeStore } from "./change.ts";

export interface EventDeps {
  changes: ChangeStore;
  commits: CommitSignal;
  factories: Factories;
}

const PAGE = 200;
const LOOK_EVERY_MS = 5_000;

export function eventEndpoints(deps: EventDeps) {
  return {
    streamEvents: { handle: (request) => streamEvents(request, deps) },
  } satisfies Endpoints;
}

/**
 * Sends changes of runs, deliveries, webhooks, factories, tasks, budgets and pauses that the key reaches, from now on or from after `Last-Event-ID`. A
 * reader that was away for longer than changes are kept is told so by `reset`, and should load what it shows again.
 */
async function streamEvents(request: ApiRequest<"streamEvents">, { changes, commits, factories }: EventDeps) {
  const key = keyOf(request);
  const { http } = request;
  const { first, last } = await changes.findRange();
  const since = lastEventId(http);
  const stream = openEventStream(http);
  const isLost = since !== undefined && (since < first - 1 || since > last);
  let after = since === undefined || isLost ? last : since;
  if (isLost) await stream.send({ id: after, event: "reset", data: {} });
  let marked = -1;
  while (!stream.closed.aborted) {
    const page = await changes.listAfter(after, PAGE);
    for (const change of page) {
      if (sees(key, change)) {
        await stream.send({ id: change.seq, event: eventOf(change), data: changeView(change, factories) });
        marked = change.seq;
      }
      after = change.seq;
    }
    // A reader that is cut off before its next event goes on here, and not from whenever it comes back.
    if (marked !== after) await stream.mark(after);
    marked = after;
    if (page.length < PAGE) await commits.next(LOOK_EVERY_MS, stream.closed);
  }
  return undefined;
}

/** A pause of the server holds everybody's runs, so everybody hears of it. */
function sees(key: ApiKey, { kind, factoryUid }: ChangeRecord): boolean {
  return (kind === "pause" && factoryUid === null) || reachesFactory(key, factoryUid);
}

/** A deleted run is one that has changed, for readers that know nothing of deletions. */
function eventOf({ kind }: ChangeRecord): string {
  return kind === "run_deleted" ? "run" : kind;
}

function changeView(
  { kind, subject, factoryUid, webhookUid, status, at }: ChangeRecord,
  factories: Factories,
) {
  const factory = factoryUid === null ? {} : { factory_uid: factoryUid };
  switch (kind) {
    case "run":
      return { run_id: subject, state: status, ...factory, at };
    case "run_deleted":
      return { run_id: subject, state: status, deleted: true, ...factory, at };
    case "webhook":
      return { webhook_uid: subject, status, ...factory, at };
    case "delivery":
      return { delivery_id: subject, webhook_uid: webhookUid, outcome: status, ...factory, at };
    case "factory":
      return { factory_uid: subject, name: factories.find(subject)?.record.name, status, at };
    case "task":
      return { task_uid: subject, stage: status, ...factory, at };
    case "budget":
      return { owner_uid: subject, limit: status, ...factory, at };
    case "pause":
      return { pause_id: subject, status, ...factory, at };
  }
}
