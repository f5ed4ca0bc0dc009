import type { Delivery } from "../ingress/delivery.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { detail, type NotificationContent } from "./content.ts";

const MAX_PROBLEMS = 5;

/** Says of a factory that its definition did not come into force. */
export function tellOfFailedApply(
  { record: { uid, name, sync } }: Factory,
  at: string,
  publicUrl: string,
): NotificationContent {
  const errors = sync.problems.filter(({ severity }) => severity === "error");
  const shown = errors
    .slice(0, MAX_PROBLEMS)
    .map(({ path, line, message }) => `${path}${line === undefined ? "" : `:${line}`}: ${message}`);
  const more = errors.length > MAX_PROBLEMS ? [`and ${errors.length - MAX_PROBLEMS} more`] : [];
  const { attemptedRevision } = sync;
  return {
    event: "factory.failed",
    at,
    summary: `The definition of factory ${name} was not applied`,
    url: `${publicUrl}/factories/${encodeURIComponent(name)}/revisions`,
    factory: { uid, name },
    ...(attemptedRevision === null ? {} : { revision: attemptedRevision }),
    ...(shown.length === 0 ? {} : { detail: detail([...shown, ...more].join("\n")) }),
  };
}

/** Says of a webhook that it lets nobody in. */
export function tellOfRefusals(
  { record: { uid, name } }: Factory,
  webhook: { uid: string; name: string },
  latest: readonly Pick<Delivery, "reason">[],
  at: string,
  publicUrl: string,
): NotificationContent {
  const reason = latest.find((delivery) => delivery.reason !== null)?.reason;
  return {
    event: "webhook.refusing",
    at,
    summary: `Webhook ${webhook.name} of factory ${name} rejects every delivery`,
    url: `${publicUrl}/factories/${encodeURIComponent(name)}/webhooks/${webhook.uid}`,
    factory: { uid, name },
    webhook,
    ...(reason === undefined || reason === null ? {} : { detail: detail(reason) }),
  };
}
