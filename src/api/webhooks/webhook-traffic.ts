import type { DeliveryStore } from "../../ingress/delivery.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { DAY_MS } from "../../time/duration.ts";
import { findFactory } from "../factories/factories.ts";
import { reachesFactory } from "../http/authorize.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";
import { findWebhook } from "./webhooks.ts";

export interface WebhookTrafficDeps {
  deliveries: Pick<DeliveryStore, "findLatestOf" | "findCounts">;
  factories: Factories;
  now: () => Date;
}

/** Enough to tell how often a sender comes, and whether it is refused time and again. */
const LATEST = 20;
const DAYS_MS = 7 * DAY_MS;

/** What has come to webhooks: a glance at all of them, and the counts of one. */
export function webhookTrafficEndpoints({ deliveries, factories, now }: WebhookTrafficDeps) {
  return {
    listWebhookActivity: {
      async handle(request) {
        const webhooks = askedFactories(request, factories).flatMap(({ record, active }) =>
          (active?.resources ?? [])
            .filter(({ kind, deleted }) => kind === "webhook" && !deleted)
            .map(({ uid, name }) => ({ uid, name, factory: record.name, factory_uid: record.uid })),
        );
        const latest = await deliveries.findLatestOf(
          webhooks.map(({ factory_uid: factoryUid, uid }) => ({ factoryUid, uid })),
          LATEST,
        );
        return {
          json: { webhooks: webhooks.map((webhook) => ({ ...webhook, latest: latest[webhook.uid] ?? [] })) },
        };
      },
    },
    getWebhookTraffic: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { uid } = findWebhook(request, factory);
        const since = new Date(now().getTime() - DAYS_MS).toISOString();
        const logged = { factoryUid: factory.record.uid, uid };
        const { all, recent, lastAt } = await deliveries.findCounts(logged, since);
        return { json: { deliveries: all, deliveries_7_days: recent, last_delivery_at: lastAt } };
      },
    },
  } satisfies Endpoints;
}

/** The factory that is asked for, else all that the caller may see. @throws MillraceError `resource_not_found` */
function askedFactories(request: ApiRequest<"listWebhookActivity">, factories: Factories): Factory[] {
  const { factory } = request.query;
  if (factory !== undefined) return [findFactory({ caller: request.caller, path: { factory } }, factories)];
  const key = keyOf(request);
  return factories.list().filter(({ record }) => reachesFactory(key, record.uid));
}
