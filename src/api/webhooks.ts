import type { Webhook } from "../definitions/definition.ts";
import type { StoredResource } from "../definitions/plan.ts";
import { MillraceError } from "../error.ts";
import { INGRESS_PREFIX } from "../ingress/locate.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import type { Cursors } from "./cursor.ts";
import type { ApiRequest, Endpoints } from "./endpoint.ts";
import { findFactory } from "./factories.ts";
import { pageOf } from "./page.ts";

export interface WebhookParts {
  factories: Factories;
  cursors: Cursors;
  /** The URL under which senders reach the ingress. */
  webhookUrl: () => string;
}

export function webhookEndpoints({ factories, cursors, webhookUrl }: WebhookParts): Endpoints {
  return {
    listWebhooks: {
      role: "viewer",
      async handle(request) {
        const factory = findFactory(request, factories);
        const live = webhooksOf(factory).filter((resource) => !resource.deleted);
        const { items, pageInfo } = pageOf(live, ({ name }) => name, request, cursors);
        return {
          json: {
            webhooks: items.map((item) => webhookView(item, factory, webhookUrl())),
            page_info: pageInfo,
          },
        };
      },
    },
    getWebhook: {
      role: "viewer",
      async handle(request) {
        const factory = findFactory(request, factories);
        return { json: webhookView(findWebhook(request, factory), factory, webhookUrl()) };
      },
    },
  };
}

function webhooksOf({ served }: Factory): StoredResource[] {
  return served?.resources.filter((resource) => resource.kind === "webhook") ?? [];
}

/** The webhook that the path names by its uid, also a deleted one. @throws MillraceError `resource_not_found` */
export function findWebhook(request: ApiRequest, factory: Factory): StoredResource {
  const { uid = "" } = request.path;
  const found = webhooksOf(factory).find((resource) => resource.uid === uid);
  if (found) return found;
  throw new MillraceError(
    "resource_not_found",
    `The factory "${factory.record.name}" has no webhook with the uid "${uid}".`,
  );
}

function webhookView(resource: StoredResource, factory: Factory, baseUrl: string) {
  const webhook = JSON.parse(resource.body) as Webhook;
  const url = `${baseUrl}${INGRESS_PREFIX}${resource.uid}`;
  return {
    uid: resource.uid,
    name: resource.name,
    factory: factory.record.name,
    auth_mode: webhook.authMode,
    signature_scheme: webhook.signatureScheme ?? null,
    secret_name: webhook.secretName,
    delivery_id_header: webhook.deliveryIdHeader ?? null,
    enabled: webhook.enabled,
    status: statusOf(resource, webhook, factory),
    url: webhook.authMode === "url_token" ? `${url}/{token}` : url,
    defined_in: { path: resource.path, url: null },
    created_at: resource.createdAt,
    updated_at: resource.updatedAt,
  };
}

function statusOf(resource: StoredResource, webhook: Webhook, { served }: Factory) {
  if (resource.deleted) return "deleted";
  if (!webhook.enabled) return "disabled";
  const hasCredential = served?.webhooks.some(
    ({ uid, credential }) => uid === resource.uid && credential !== undefined,
  );
  return hasCredential ? "active" : "awaiting_secret";
}
