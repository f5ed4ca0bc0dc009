import type { Models } from "../../client/typed-paths.ts";
import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Webhook } from "../../definitions/definition.ts";
import { MillraceError } from "../../errors/error.ts";
import { INGRESS_PREFIX } from "../../ingress/arrival.ts";
import type { Delivery, DeliveryStore, LoggedWebhook } from "../../ingress/delivery.ts";
import { deliveryHours, shownHours } from "../../ingress/delivery-hours.ts";
import type { DroppedDeliveries } from "../../ingress/dropped.ts";
import { REFUSED_IN_A_ROW, refusesAll } from "../../ingress/refusal.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { ActiveWebhook } from "../../reconcile/active-definition.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { resourceTag } from "../../reconcile/managed-edits/change-file.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { Pauses } from "../../runs/pauses.ts";
import type { RunSummaryStore } from "../../runs/run-query.ts";
import type { Vault } from "../../secrets/vault.ts";
import { webhookSecret } from "../../secrets/webhook-secret.ts";
import { DAY_MS, parseDuration } from "../../time/duration.ts";
import { askedFactories, findFactory } from "../factories/factories.ts";
import { type Endpoints, keyOf } from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";
import { runSummaryView } from "../runs/run-item.ts";

export interface WebhookDeps extends PreviousSecretDeps {
  factories: Factories;
  cursors: Cursors;
  /** The URL under which senders reach the ingress. */
  webhookUrl: () => string;
  vault: Pick<Vault, "open">;
  dropped: Pick<DroppedDeliveries, "of">;
}

export function webhookEndpoints(deps: WebhookDeps & { pauses: Pick<Pauses, "refresh"> }) {
  const { factories, cursors, pauses } = deps;
  return {
    listWebhooks: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const live = webhooksOf(factory).filter((resource) => !resource.deleted);
        const { items, pageInfo } = pageOf(live, ({ name }) => name, request, cursors);
        return {
          json: {
            webhooks: await Promise.all(items.map((item) => webhookView(item, factory, deps))),
            page_info: pageInfo,
          },
        };
      },
    },
    getWebhook: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const found = findWebhook(request, factory);
        return { json: await webhookView(found, factory, deps), etag: resourceTag(found) };
      },
    },
    adoptWebhook: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { name, uid } = findWebhook(request, factory);
        await factory.adopt(uid, request.body.uid);
        // A pause of the webhook has its new uid too.
        await pauses.refresh();
        const adopted = factory.active?.resources.find(
          (resource) => resource.kind === "webhook" && resource.name === name,
        );
        if (!adopted) throw new Error("a webhook whose uid was restored is missing");
        return { json: await webhookView(adopted, factory, deps) };
      },
    },
  } satisfies Endpoints;
}

/** The webhooks that a factory has, and those that it had. */
export function webhooksOf({ active }: Factory): StoredResource[] {
  return active?.resources.filter((resource) => resource.kind === "webhook") ?? [];
}

/** The webhook that the path names by its uid, also a deleted one. @throws MillraceError `resource_not_found` */
export function findWebhook({ path: { uid } }: { path: { uid: string } }, factory: Factory): StoredResource {
  const found = webhooksOf(factory).find((resource) => resource.uid === uid);
  if (found) return found;
  throw new MillraceError(
    "resource_not_found",
    `The factory "${factory.record.name}" has no webhook with the uid "${uid}".`,
  );
}

export async function webhookView(
  resource: StoredResource,
  factory: Factory,
  deps: Pick<WebhookDeps, "webhookUrl" | "vault" | "dropped" | "deliveries" | "now">,
): Promise<Models["Webhook"]> {
  const webhook = JSON.parse(resource.body) as Webhook;
  const { vault, dropped } = deps;
  const logged = { factoryUid: factory.record.uid, uid: resource.uid };
  const active = factory.active?.webhooks.find(({ uid }) => uid === resource.uid);
  const url = `${deps.webhookUrl()}${INGRESS_PREFIX}${resource.uid}`;
  return {
    uid: resource.uid,
    name: resource.name,
    factory: factory.record.name,
    auth_mode: webhook.authMode,
    signature_scheme: webhook.signatureScheme ?? null,
    secret_name: webhook.secretName,
    has_newer_secret: await hasNewerSecret(resource, webhook, factory, vault),
    previous_secret: await previousSecretView(logged, active, deps),
    delivery_id_header: webhook.deliveryIdHeader ?? null,
    enabled: webhook.enabled,
    status: webhookStatus(resource, webhook, factory),
    url: webhook.authMode === "url_token" ? `${url}/{token}` : url,
    defined_in: { path: resource.path, url: null },
    dropped: await droppedBy(logged, dropped),
    created_at: resource.createdAt,
    updated_at: resource.updatedAt,
  };
}

async function droppedBy(webhook: LoggedWebhook, dropped: WebhookDeps["dropped"]) {
  const hours = await dropped.of(webhook);
  return hours.map(({ hour, overBudget, blocked }) => ({ hour, over_budget: overBudget, blocked }));
}

/** Whether its secret has another value than the one that the webhook was applied with, and that senders still need. */
async function hasNewerSecret(
  { uid, deleted }: StoredResource,
  { secretName }: Webhook,
  { record, active }: Factory,
  vault: Pick<Vault, "open">,
): Promise<boolean> {
  if (deleted) return false;
  // A file that cannot be read just now has no value that is known to be newer, and neither has a secret of others.
  const value = await vault.open([secretName], { webhooksOf: record.uid }).then(
    (values) => values.get(secretName),
    () => undefined,
  );
  const taken = active?.webhooks.find((webhook) => webhook.uid === uid)?.credential;
  return value !== undefined && webhookSecret(value) !== taken;
}

export function webhookStatus(
  resource: StoredResource,
  webhook: Webhook,
  { active }: Factory,
): Models["Webhook"]["status"] {
  if (resource.deleted) return "deleted";
  const hasCredential = active?.webhooks.some(
    ({ uid, credential }) => uid === resource.uid && credential !== undefined,
  );
  if (!hasCredential && webhook.enabled) return "awaiting_secret";
  return webhook.enabled ? "active" : "disabled";
}

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

/** A secret that has leaked must not stay good for longer because somebody forgot it. */
const MAX_OVERLAP_MS = 30 * DAY_MS;
/** So many of the last deliveries are looked at for who still uses the previous secret. */
const MAX_LOOKED_AT = 500;
const MAX_SENDERS = 20;

interface PreviousSecretDeps {
  deliveries: Pick<DeliveryStore, "listProvedByPrevious">;
  now: () => Date;
}

/**
 * When the overlap of a rotation ends that is asked for; nothing without one.
 * @throws MillraceError `invalid_request`
 */
export function endOfOverlap(asked: string | undefined, now: Date): string | undefined {
  if (asked === undefined) return undefined;
  const length = parseDuration(asked, ["d", "h", "m"]);
  if (length !== undefined && length > 0 && length <= MAX_OVERLAP_MS)
    return new Date(now.getTime() + length).toISOString();
  throw new MillraceError(
    "invalid_request",
    `overlap is ${JSON.stringify(asked)}: expected a number of minutes, hours or days such as 30m, 24h or 7d, at most 30d.`,
    {
      remedy: "Without overlap, the previous secret stops working immediately.",
      extra: { field: "overlap" },
    },
  );
}

/** The previous secret of a webhook while it is accepted, with who still uses it; nothing afterwards. */
async function previousSecretView(
  webhook: LoggedWebhook,
  active: ActiveWebhook | undefined,
  { deliveries, now }: PreviousSecretDeps,
): Promise<Models["PreviousSecret"] | null> {
  const previous = active?.previous;
  if (!previous || Date.parse(previous.until) <= now().getTime()) return null;
  const { since } = previous;
  const used = await deliveries.listProvedByPrevious(webhook, { since, limit: MAX_LOOKED_AT });
  return { until: previous.until, last_used_at: used[0]?.time ?? null, senders: sendersOf(used) };
}

/** The senders of deliveries, the last one first. */
function sendersOf(deliveries: readonly Delivery[]): Models["PreviousSecret"]["senders"] {
  const senders = new Map<string, Models["PreviousSecret"]["senders"][number]>();
  for (const { sender, time } of deliveries) {
    const [address, userAgent] = [sender?.address ?? null, sender?.userAgent ?? null];
    const key = JSON.stringify([address, userAgent]);
    const known = senders.get(key);
    if (known) known.deliveries += 1;
    else senders.set(key, { address, user_agent: userAgent, deliveries: 1, last_delivery_at: time });
  }
  return [...senders.values()].slice(0, MAX_SENDERS);
}
