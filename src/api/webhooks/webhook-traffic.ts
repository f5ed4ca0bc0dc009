import type { DeliveryStore, LoggedWebhook } from "../../ingress/delivery.ts";
import { deliveryHours, shownHours } from "../../ingress/delivery-hours.ts";
import type { DroppedDeliveries } from "../../ingress/dropped.ts";
import { REFUSED_IN_A_ROW, refusesAll } from "../../ingress/refusal.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { RunSummaryStore } from "../../runs/run-query.ts";
import { DAY_MS } from "../../time/duration.ts";
import { askedFactories, findFactory } from "../factories/factories.ts";
import { type Endpoints, keyOf } from "../http/endpoint.ts";
import { runSummaryView } from "../runs/run-summary-view.ts";
import { findWebhook } from "./webhooks.ts";

export interface WebhookTrafficDeps {
  deliveries: Pick<DeliveryStore, "findLatestOf" | "findCounts" | "listHourlyDeliveries">;
  runSummaries: Pick<RunSummaryStore, "listSummaries">;
  dropped: Pick<DroppedDeliveries, "of">;
  factories: Factories;
  now: () => Date;
}

/** Enough to tell how often a sender comes, and whether it is refused time and again. */
const LATEST = REFUSED_IN_A_ROW;
const DAYS_MS = 7 * DAY_MS;

/** What has come to webhooks: a glance at all of them, and the counts of one. */
export function webhookTrafficEndpoints(deps: WebhookTrafficDeps) {
  const { deliveries, runSummaries, dropped, factories, now } = deps;
  const hoursOf = deliveryHours(deliveries, now);

  /** What takes more work to read than the latest deliveries. */
  async function readDetails(webhooks: readonly LoggedWebhook[], key: ApiKey) {
    const [summaries, hours] = await Promise.all([
      runSummaries.listSummaries({ by: "webhook", webhooks }),
      hoursOf(webhooks),
    ]);
    const summaryOf = new Map(summaries.map((summary) => [summary.uid, summary]));
    return (uid: string) => {
      const counts = hours.get(uid) ?? [];
      return {
        ...runSummaryView(summaryOf.get(uid), key),
        hours: {
          accepted: counts.map(({ accepted }) => accepted),
          duplicates: counts.map(({ duplicates }) => duplicates),
          rejected: counts.map(({ rejected }) => rejected),
        },
      };
    };
  }

  return {
    listWebhookActivity: {
      async handle(request) {
        const { uid: asked, details } = request.query;
        const webhooks = askedFactories(request, factories).flatMap(({ record, active }) =>
          (active?.resources ?? [])
            .filter(({ kind, deleted }) => kind === "webhook" && !deleted)
            .filter(({ uid }) => asked === undefined || uid === asked)
            .map(({ uid, name }) => ({ uid, name, factory: record.name, factory_uid: record.uid })),
        );
        const logged = webhooks.map(({ factory_uid: factoryUid, uid }) => ({ factoryUid, uid }));
        const latest = await deliveries.findLatestOf(logged, LATEST);
        const detailsOf = details ? await readDetails(logged, keyOf(request)) : () => ({});
        const views = webhooks.map(async (webhook) => ({
          ...webhook,
          latest: latest[webhook.uid] ?? [],
          refuses_all: refusesAll(latest[webhook.uid] ?? [], now()),
          dropped: await droppedInADay({ factoryUid: webhook.factory_uid, uid: webhook.uid }, dropped),
          ...detailsOf(webhook.uid),
        }));
        const [first = 0] = shownHours(now());
        return { json: { since: new Date(first).toISOString(), webhooks: await Promise.all(views) } };
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

async function droppedInADay(webhook: LoggedWebhook, dropped: Pick<DroppedDeliveries, "of">) {
  const hours = await dropped.of(webhook);
  return {
    over_budget: hours.reduce((sum, { overBudget }) => sum + overBudget, 0),
    blocked: hours.reduce((sum, { blocked }) => sum + blocked, 0),
  };
}
