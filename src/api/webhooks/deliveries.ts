import type { Models } from "../../client/typed-paths.ts";
import type { EventProviderName } from "../../definitions/definition.ts";
import { EVENT_PROVIDERS } from "../../definitions/events/event-provider.ts";
import { missingKeyFields } from "../../definitions/key-template.ts";
import { MillraceError } from "../../errors/error.ts";
import type { DeliveryFilter, DeliveryPage } from "../../ingress/delivery.ts";
import {
  type Delivery,
  type DeliveryStore,
  type LoggedWebhook,
  type Sender,
  whyNoPayload,
} from "../../ingress/delivery.ts";
import { reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { type Disposition, happeningKey } from "../../runs/rules/run-key.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { instantIn } from "../../time/instant.ts";
import { type FactoryRequest, findFactory } from "../factories/factories.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";
import { setListLag } from "../http/headers.ts";
import type { Cursors } from "../http/page.ts";
import { findWebhook, webhooksOf } from "./webhooks.ts";

export function deliveryEndpoints(deps: DeliveryDeps) {
  const { deliveries, runs, factories } = deps;
  return {
    ...deliveryListEndpoints(deps),
    getDelivery: {
      async handle(request) {
        const delivery = await findDelivery(request, deps);
        const runIds = await runs.listIdsByDelivery([delivery.id]);
        const view = deliveryView(delivery, runIds[delivery.id] ?? [], findFactory(request, factories));
        const accepted = delivery.outcome === "Accepted";
        const payload = accepted ? await deliveries.findPayload(delivery.id) : undefined;
        return payload ? { jsonText: withPayload(view, payload) } : { json: view };
      },
    },
    getPayload: {
      async handle(request) {
        const delivery = await findDelivery(request, deps);
        const payload = await deliveries.findPayload(delivery.id);
        if (payload) return { bytes: payload, mediaType: "application/json" };
        throw new MillraceError(
          "resource_not_found",
          `The delivery ${delivery.id} has no stored payload: ${whyNoPayload(delivery)}.`,
        );
      },
    },
  } satisfies Endpoints;
}

/**
 * A delivery with its payload, which is JSON already and goes in as the text that it is: parsing it and writing it
 * again would change its numbers, and overflow the stack where it nests deeply.
 */
function withPayload(view: object, payload: Uint8Array): string {
  return `${JSON.stringify(view).slice(0, -1)},"payload":${Buffer.from(payload).toString("utf8")}}`;
}

/** The delivery that the path names. @throws MillraceError `resource_not_found` */
export function findDelivery(
  request: FactoryRequest & { path: { delivery_id: string } },
  deps: Pick<DeliveryDeps, "deliveries" | "factories">,
): Promise<Delivery> {
  return deliveryOf(request, request.path.delivery_id, deps);
}

/** A delivery to the factory that the path names. @throws MillraceError `resource_not_found` */
export async function deliveryOf(
  request: FactoryRequest,
  id: string,
  { deliveries, factories }: Pick<DeliveryDeps, "deliveries" | "factories">,
): Promise<Delivery> {
  const { record } = findFactory(request, factories);
  const delivery = await deliveries.find(id);
  if (delivery?.factoryUid === record.uid) return delivery;
  throw new MillraceError("resource_not_found", `The factory "${record.name}" has no delivery "${id}".`, {
    remedy: "`millrace deliveries list` shows recent deliveries.",
  });
}

export interface DeliveryDeps {
  deliveries: DeliveryStore;
  runs: Pick<RunStore, "listIdsByDelivery" | "listDispositions" | "find">;
  factories: Factories;
  cursors: Cursors;
}

/** A delivery with the names of where it came to, as its factory has them now. */
export function deliveryView(delivery: Delivery, runIds: string[], factory: Factory): Models["Delivery"] {
  const webhook = webhooksOf(factory).find(({ uid }) => uid === delivery.webhookUid);
  return {
    delivery_id: delivery.id,
    factory: factory.record.name,
    webhook_uid: delivery.webhookUid,
    webhook: webhook?.name ?? null,
    webhook_deleted: webhook?.deleted ?? false,
    outcome: delivery.outcome,
    size: delivery.size,
    time: delivery.time,
    identity: delivery.identity,
    reason: delivery.reason,
    body_differs: delivery.bodyDiffers,
    duplicate_of: delivery.duplicateOf,
    redelivery_of: delivery.redeliveryOf,
    ...(delivery.event === null ? {} : { event: delivery.event }),
    sender: delivery.sender && senderView(delivery.sender),
    proved_by: delivery.provedBy,
    run_ids: runIds,
  };
}

function senderView({ address, contentType, userAgent, headers }: Sender) {
  return { address, content_type: contentType, user_agent: userAgent, headers };
}

type ListRequest = ApiRequest<"listAllDeliveries"> | ApiRequest<"listDeliveries">;

/** The delivery log: of everything that the caller may see, and of one webhook. */
function deliveryListEndpoints(deps: DeliveryDeps) {
  const { deliveries, runs, factories, cursors } = deps;
  return {
    listAllDeliveries: {
      async handle(request) {
        return { json: await pageOf(request, askedWebhooks(request)) };
      },
    },
    listDeliveries: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { uid } = findWebhook(request, factory);
        return { json: await pageOf(request, [{ factoryUid: factory.record.uid, uid }]) };
      },
    },
  } satisfies Endpoints;

  async function pageOf(request: ListRequest, webhooks: DeliveryFilter["webhooks"]) {
    const { limit, cursor, ...filter } = request.query;
    const scope = { operation: request.operation, ...request.path, ...filter };
    const [before] = cursor ? cursors.decode(scope, cursor, 1) : [];
    if (filter.q !== undefined && !/[\p{L}\p{N}]/u.test(filter.q)) throw nothingToSearch();
    const page = await deliveries.list({
      webhooks,
      outcomes: filter.outcome,
      started: filter.started,
      failed: filter.failed,
      event: filter.event,
      text: filter.q,
      since: instantIn(filter.since),
      until: instantIn(filter.until),
      limit,
      before,
    });
    if (page.isTooBroad) throw tooBroad();
    const { deliveries: found, next } = page;
    tellLag(request, page);
    // Of a deleted factory, deliveries stay in the log for a while: nobody can open them any more.
    const shown = found.flatMap((delivery) => {
      const factory = factories.find(delivery.factoryUid);
      return factory ? [{ delivery, factory }] : [];
    });
    const runIds = await runs.listIdsByDelivery(shown.map(({ delivery }) => delivery.id));
    return {
      deliveries: shown.map(({ delivery, factory }) =>
        deliveryView(delivery, runIds[delivery.id] ?? [], factory),
      ),
      page_info:
        next === null
          ? { has_next_page: false }
          : { has_next_page: true, next_cursor: cursors.encode(scope, [next]) },
    };
  }

  /** The webhooks whose deliveries are asked for and may be seen; nothing for all. @throws MillraceError `resource_not_found` */
  function askedWebhooks(request: ApiRequest<"listAllDeliveries">): LoggedWebhook[] | undefined {
    const { factory, webhook } = request.query;
    const key = keyOf(request);
    if (factory === undefined && webhook === undefined && key.factories === null) return undefined;
    const reached =
      factory === undefined
        ? factories.list().filter(({ record }) => reachesFactory(key, record.uid))
        : [findFactory({ caller: request.caller, path: { factory } }, factories)];
    const found = reached.flatMap((each) => loggedIn(each, webhook));
    if (webhook === undefined || found.length > 0) return found;
    throw new MillraceError(
      "resource_not_found",
      factory === undefined
        ? `No factory that this API key can access has a webhook "${webhook}".`
        : `The factory "${factory}" has no webhook "${webhook}".`,
      { remedy: "`millrace webhooks list` shows the webhooks of a factory." },
    );
  }
}

/** How far a search is behind, also while what an earlier version has recorded is made searchable. */
function tellLag({ http: { response } }: ListRequest, { behindSince, searchedFrom }: DeliveryPage): void {
  setListLag(response, behindSince);
  if (searchedFrom !== undefined) response.setHeader("Millrace-Searchable-From", searchedFrom);
}

function nothingToSearch(): MillraceError {
  return new MillraceError("invalid_request", "q: expected at least one letter or digit.", {
    remedy: "Search for whole words, or for the beginning of a word followed by *.",
    extra: { field: "q" },
  });
}

function tooBroad(): MillraceError {
  return new MillraceError("invalid_request", "q: too many different words begin as it asks.", {
    remedy: "Write more of the words before the *, or search for whole words.",
    extra: { field: "q" },
  });
}

function loggedIn(factory: Factory, webhook: string | undefined): LoggedWebhook[] {
  return webhooksOf(factory)
    .filter(({ uid, name }) => webhook === undefined || webhook === uid || webhook === name)
    .map(({ uid }) => ({ factoryUid: factory.record.uid, uid }));
}

/** What a delivery did for an automation. */
export interface DeliveryDispositions {
  /** By the uid of the automation. */
  dispositions: ReadonlyMap<string | null, Models["Disposition"]>;
  /** Why a run was not started because of a budget, by the uid of the automation. */
  skipped: ReadonlyMap<string | null, { skipped: string }>;
  /** The uids of automations for whose key the payload has no value. */
  lacksKey: ReadonlySet<string | null>;
}

/** Finds out what became of a delivery when it was accepted. */
export async function findDispositions(
  deliveryId: string,
  runs: Pick<RunStore, "listIdsByDelivery" | "listDispositions" | "find">,
): Promise<DeliveryDispositions> {
  const dispositions = new Map<string | null, Models["Disposition"]>();
  const skipped = new Map<string | null, { skipped: string }>();
  const lacksKey = new Set<string | null>();
  for (const id of (await runs.listIdsByDelivery([deliveryId]))[deliveryId] ?? []) {
    const run = await runs.find(id);
    if (!run || run.rerunOf !== null) continue;
    dispositions.set(run.automationUid, {
      kind: "started",
      run_id: id,
      key: null,
      replaced_run_ids: [],
      reason: "The automation has no concurrency key: each delivery starts a run.",
    });
    if (run.startedAt === null && run.statusMessage?.error_code === "budget_exceeded")
      skipped.set(run.automationUid, { skipped: run.statusMessage.message });
  }
  for (const each of await runs.listDispositions(deliveryId)) {
    dispositions.set(each.automationUid, dispositionOf(each));
    if (each.lacksKey) lacksKey.add(each.automationUid);
  }
  return { dispositions, skipped, lacksKey };
}

/** An automation that a delivery fires, at the webhook that it came to. */
interface Fired {
  automationUid: string;
  provider: EventProviderName | undefined;
  payload: unknown;
}

/** Of a delivery that started no run because another one had told of the same before: the run of that one. */
export async function findEarlierRun(
  deliveryId: string,
  { automationUid, provider, payload }: Fired,
  { deliveries, runs }: { deliveries: Pick<DeliveryStore, "findFirst">; runs: EarlierRuns },
): Promise<Models["Disposition"] | undefined> {
  const happening = provider && EVENT_PROVIDERS[provider].happeningOf?.(payload);
  if (happening === undefined) return undefined;
  const first = await deliveries.findFirst(happeningKey(automationUid, happening));
  if (first === undefined || first === deliveryId) return undefined;
  for (const id of (await runs.listIdsByDelivery([first]))[first] ?? []) {
    const run = await runs.find(id);
    if (run?.automationUid !== automationUid || run.rerunOf !== null) continue;
    const reason = `The delivery ${first} is about the same message and came first: its run stands for both, and this delivery started none.`;
    return { kind: "joined", run_id: id, key: null, reason, replaced_run_ids: [] };
  }
  return undefined;
}

/** Why a delivery has no key: which of the fields that the key names now its payload lacks. */
export function lacksFields(
  disposition: Models["Disposition"],
  template: string | undefined,
  { provider, payload }: Pick<Fired, "provider" | "payload">,
): Models["Disposition"] {
  const missing = template === undefined ? [] : missingKeyFields(template, provider, payload);
  if (missing.length === 0) return disposition;
  const reason = `The payload has no value for ${missing.join(" and ")} of the concurrency key: the delivery started a run of its own.`;
  return { ...disposition, reason };
}

type EarlierRuns = Pick<RunStore, "listIdsByDelivery" | "find">;

function dispositionOf(given: Disposition): Models["Disposition"] {
  const isWaiting = given.kind === "started" && given.isHeld;
  return {
    kind: isWaiting ? "waiting" : given.kind,
    run_id: given.runId,
    key: given.key === "" ? null : given.key,
    reason: reasonOf(given, isWaiting),
    replaced_run_ids: given.replaced,
  };
}

function reasonOf(
  { kind, key, lacksKey, runId, replaced, waitedFor }: Disposition,
  isWaiting: boolean,
): string {
  if (lacksKey)
    return "The payload has no value for the concurrency key: the delivery started a run of its own.";
  const of = key === "" || key === null ? "of the automation" : `with the key ${key}`;
  switch (kind) {
    case "joined":
      return `A run ${of} was waiting: the delivery became part of it.`;
    case "replaced":
      return `${replaced.length === 1 ? "An earlier run" : `${replaced.length} earlier runs`} ${of} had not ended: the run ${runId} replaced ${replaced.length === 1 ? "it" : "them"}.`;
    case "continued":
      return `A run ${of} could be continued: the delivery became a message to it.`;
    case "started":
      if (isWaiting) return `The run waits for further deliveries, or for an earlier run ${of}.`;
      if (waitedFor === "key") return `The run had to wait for an earlier run ${of}.`;
      if (waitedFor === "window") return "The run had to wait for further deliveries.";
      return `There was no run ${of} for the delivery to join, replace or continue: it started one.`;
  }
}
