import type { ChangeRecord, ChangeStore } from "../../changes/log.ts";
import type { CommitSignal } from "../../concurrency/rounds.ts";
import { type ApiKey, reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";
import { lastEventId, openEventStream } from "../http/event-stream.ts";
import type { Cursors } from "../http/page.ts";

export interface EventDeps {
  changes: ChangeStore;
  commits: CommitSignal;
  factories: Factories;
  cursors: Pick<Cursors, "hide" | "reveal">;
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
async function streamEvents(request: ApiRequest<"streamEvents">, deps: EventDeps) {
  const { changes, commits, factories } = deps;
  const key = keyOf(request);
  const { http } = request;
  const { first, last } = await changes.findRange();
  const ids = key.factories === null ? plainIds(http) : ownIds(http, deps);
  const { since } = ids;
  const stream = openEventStream(http);
  const isLost = since !== undefined && !(since >= first - 1 && since <= last);
  let after = since === undefined || isLost ? last : since;
  if (isLost) await stream.send({ id: ids.upTo(after), event: "reset", data: {} });
  let marked = isLost ? after : -1;
  while (!stream.closed.aborted) {
    const page = await changes.listAfter(after, PAGE);
    for (const change of page) {
      if (sees(key, change)) {
        await stream.send({
          id: ids.of(change.seq),
          event: eventOf(change),
          data: changeView(change, factories),
        });
        marked = change.seq;
      }
      after = change.seq;
    }
    // A reader that is cut off before its next event goes on here, and not from whenever it comes back.
    if (marked !== after && (ids.marksOthers || (marked < 0 && since === undefined)))
      await stream.mark(ids.upTo(after));
    marked = after;
    if (page.length < PAGE) await commits.next(LOOK_EVERY_MS, stream.closed);
  }
  return undefined;
}

/** How the events of one reader are numbered. */
interface EventIds {
  /** The change after which the reader goes on; nothing for a new one, and NaN where that is not known any more. */
  since: number | undefined;
  /** Whether the reader is told where it is when there were only changes that it does not see. */
  marksOthers: boolean;
  of(seq: number): number | string;
  /** Where a reader is that has got no event since the last one. */
  upTo(seq: number): number | string;
}

/** Whoever reaches everything has the numbers of the changes. */
function plainIds(http: ApiRequest["http"]): EventIds {
  return { since: lastEventId(http), marksOthers: true, of: (seq) => seq, upTo: (seq) => seq };
}

/** Whoever reaches some factories counts its own events alone: gaps would tell how much the others do. */
function ownIds(http: ApiRequest["http"], { cursors }: EventDeps): EventIds {
  const header = http.request.get("last-event-id");
  const [, count, digits] = /^(\d{1,15})\.(\d{1,40})$/.exec(header ?? "") ?? [];
  const context = (nth: number) => `event ${nth}`;
  let nth = Number(count ?? 0);
  const upTo = (seq: number) => `${nth}.${cursors.hide(seq, context(nth))}`;
  const known = header === "0" ? 0 : digits && cursors.reveal(digits, context(nth));
  return {
    since: header === undefined ? undefined : Number(known ?? Number.NaN),
    marksOthers: false,
    of(seq) {
      nth += 1;
      return upTo(seq);
    },
    upTo,
  };
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
    case "hold":
      return { hold_id: subject, status, ...factory, at };
  }
}
