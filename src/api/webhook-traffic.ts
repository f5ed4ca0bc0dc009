import type { DeliveryStore } from "../ingress/delivery.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import { reachesFactory } from "./authorize.ts";
import { type ApiRequest, type Endpoints, keyOf } from "./endpoint.ts";
import { findFactory } from "./factories.ts";
import { findWebhook } from "./webhooks.ts";

export interface WebhookTrafficParts {
  deliveries: Pick<DeliveryStore, "findLatestOf" | "findCounts">;
  factories: Factories;
  now: () => Date;
}

/** Enough to tell how often a sender comes, and whether it is refused time and again. */
const LATEST = 20;
const DAYS_MS = 7 * 24 * 3_600_000;

/** What has come to webhooks: a glance at all of them, and the counts of one. */
export function webhookTrafficEndpoints({ deliveries, factories, now }: WebhookTrafficParts): Endpoints {
  return {
    listWebhookActivity: {
      role: "viewer",
      async handle(request) {
        const webhooks = askedFactories(request, factories).flatMap(({ record, served }) =>
          (served?.resources ?? [])
            .filter(({ kind, deleted }) => kind === "webhook" && !deleted)
            .map(({ uid, name }) => ({ uid, name, factory: record.name, factory_uid: record.uid })),
        );
        const latest = await deliveries.findLatestOf(
          webhooks.map(({ uid }) => uid),
          LATEST,
        );
        return {
          json: { webhooks: webhooks.map((webhook) => ({ ...webhook, latest: latest[webhook.uid] ?? [] })) },
        };
      },
    },
    getWebhookTraffic: {
      role: "viewer",
      async handle(request) {
        const { uid } = findWebhook(request, findFactory(request, factories));
        const since = new Date(now().getTime() - DAYS_MS).toISOString();
        const { all, recent, lastAt } = await deliveries.findCounts(uid, since);
        return { json: { deliveries: all, deliveries_7_days: recent, last_delivery_at: lastAt } };
      },
    },
  };
}

/** The factory that is asked for, else all that the caller may see. @throws MillraceError `resource_not_found` */
function askedFactories(request: ApiRequest, factories: Factories): Factory[] {
  const { factory } = request.query;
  if (factory !== undefined) return [findFactory({ ...request, path: { factory } }, factories)];
  const key = keyOf(request);
  return factories.list().filter(({ record }) => reachesFactory(key, record.uid));
}
