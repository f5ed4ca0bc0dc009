import type { Models } from "../../client/typed-paths.ts";
import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Webhook } from "../../definitions/definition.ts";
import { MillraceError } from "../../errors/error.ts";
import { INGRESS_PREFIX } from "../../ingress/arrival.ts";
import type { LoggedWebhook } from "../../ingress/delivery.ts";
import type { DroppedDeliveries } from "../../ingress/dropped.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { resourceTag } from "../../reconcile/managed-edits/change-file.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { Vault } from "../../secrets/vault.ts";
import { webhookSecret } from "../../secrets/webhook-secret.ts";
import { findFactory } from "../factories/factories.ts";
import type { Cursors } from "../http/cursor.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { pageOf } from "../http/page.ts";
import { type PreviousSecretDeps, previousSecretView } from "./previous-secret.ts";

export interface WebhookDeps extends PreviousSecretDeps {
  factories: Factories;
  cursors: Cursors;
  /** The URL under which senders reach the ingress. */
  webhookUrl: () => string;
  vault: Pick<Vault, "open">;
  dropped: Pick<DroppedDeliveries, "of">;
}

export function webhookEndpoints(deps: WebhookDeps) {
  const { factories, cursors } = deps;
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
    status: statusOf(resource, webhook, factory),
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

function statusOf(
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
