import { MillraceError } from "../../errors/error.ts";
import type { DeliveryFilter, DeliveryPage, LoggedWebhook } from "../../ingress/delivery.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { instantIn } from "../../time/instant.ts";
import { findFactory } from "../factories/factories.ts";
import { reachesFactory } from "../http/authorize.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";
import { setListLag } from "../http/list-lag.ts";
import { type DeliveryDeps, deliveryView } from "./delivery-view.ts";
import { findWebhook, webhooksOf } from "./webhooks.ts";

type ListRequest = ApiRequest<"listAllDeliveries"> | ApiRequest<"listDeliveries">;

/** The delivery log: of everything that the caller may see, and of one webhook. */
export function deliveryListEndpoints(deps: DeliveryDeps) {
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
