import { pathOf } from "../edge/masked-path.ts";
import type { IngressWebhook, WebhookTable } from "./webhook-table.ts";

/** Every path below this prefix is ingress and nothing else. */
export const INGRESS_PREFIX = "/webhooks/w/";

/** Whether a request is the ingress's to answer, whatever the answer is. */
export function isIngress(url: string | undefined): boolean {
  return url !== undefined && pathOf(url).startsWith(INGRESS_PREFIX);
}

const ADDRESS = /^\/webhooks\/w\/([^/]+)(?:\/([^/]+))?$/;

/** The webhook that a request is addressed to, with the token of its URL. */
export function findWebhook(
  url: string,
  table: WebhookTable,
): { webhook: IngressWebhook; urlToken: string | undefined } | undefined {
  const [, uid, segment] = ADDRESS.exec(pathOf(url)) ?? [];
  const webhook = uid === undefined ? undefined : table.get(uid);
  return webhook && { webhook, urlToken: segment === undefined ? undefined : decoded(segment) };
}

/** An escaped unreserved character is the same character (RFC 3986, 6.2.2.2); what does not decode stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
