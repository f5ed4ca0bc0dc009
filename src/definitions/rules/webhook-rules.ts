import { MOST_WEBHOOKS } from "../definition.ts";
import { FILE_START, type Problem } from "../problem.ts";
import { type FileRule, problemAt, type TreeRule, type WrittenTree } from "../tree.ts";
import type { WrittenWebhook } from "../written.ts";

/** Headers that carry a credential: an id taken from one of them would be stored and shown. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-hub-signature",
  "x-hub-signature-256",
  "stripe-signature",
  "x-vercel-signature",
  "sentry-hook-signature",
  "sentry-app-signature",
  "x-pagerduty-signature",
  "webhook-signature",
  "svix-signature",
  "x-gitlab-token",
  "linear-signature",
  "x-slack-signature",
]);

export const deliveryIdHeaderIsNoCredential: FileRule<WrittenWebhook> = (webhook) => {
  const header = webhook.data.deliveryIdHeader;
  if (header === undefined || !isCredentialHeader(header, webhook.data.millrace?.scheme)) return [];
  const message = `"${header}" carries a credential: name a header that carries the sender's own id of the event`;
  return [problemAt(webhook, ["deliveryIdHeader"], "FF_INVALID_VALUE", message)];
};

/** Whether a request header carries a credential of any scheme, the webhook's own custom one included. */
export function isCredentialHeader(name: string, customScheme?: Record<string, unknown>): boolean {
  const lowered = name.toLowerCase();
  const own = customScheme?.header;
  return CREDENTIAL_HEADERS.has(lowered) || (typeof own === "string" && own.toLowerCase() === lowered);
}

export const webhooksAreNoMoreThanAllowed: TreeRule = (tree) => {
  const webhooks = presentWebhooks(tree);
  return webhooks.slice(MOST_WEBHOOKS).map((webhook): Problem => {
    const message = `the factory has ${webhooks.length} webhooks; at most ${MOST_WEBHOOKS} are allowed`;
    return { code: "FF_INVALID_DOCUMENT", message, path: webhook.path, ...FILE_START, severity: "error" };
  });
};

function presentWebhooks(tree: WrittenTree) {
  return tree.present.filter((file) => file.kind === "webhook").sort((a, b) => (a.path < b.path ? -1 : 1));
}
