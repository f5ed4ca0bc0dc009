import type { Factory } from "../definition.ts";
import type { DefinitionChange, StoredResource } from "./plan.ts";
import type { WarningCode } from "./plan-warning.ts";

/** What is done when a definition deletes more than looks right. */
export type PruneGuard = Factory["pruneGuard"];

/** The trailer of a commit message that says that its deletions are meant. */
export const ALLOW_DELETES_TRAILER = "Millrace-Allow-Deletes";

/** Deliveries of so many days are looked at: by plans, and by the prune guard. */
export const TRAFFIC_DAYS = 7;

/** Something that the guard has found. */
export interface Suspicion {
  code: Extract<WarningCode, "deletes_most_webhooks" | "deletes_used_webhook">;
  message: string;
  /** The file that is gone, or was the first of many to go. */
  path: string;
}

/** The webhooks that a plan deletes. */
export function deletedWebhooks(changes: readonly DefinitionChange[]): DefinitionChange[] {
  return changes.filter(({ kind, action }) => kind === "webhook" && action === "delete");
}

/**
 * What is suspicious about the deletions of a plan: more than half of the webhooks, or one that somebody uses. Pure.
 * @param lastDelivered when a webhook had its last delivery, by its uid, of those that had one within the days that count
 */
export function suspectDeletions(
  stored: readonly StoredResource[],
  changes: readonly DefinitionChange[],
  lastDelivered: Readonly<Record<string, string>>,
): Suspicion[] {
  const live = stored.filter(({ kind, deleted }) => kind === "webhook" && !deleted);
  const deleted = deletedWebhooks(changes);
  const [first] = deleted;
  const most: Suspicion[] =
    first && deleted.length * 2 > live.length
      ? [{ code: "deletes_most_webhooks", message: mostMessage(deleted, live.length), path: first.path }]
      : [];
  const used = deleted.flatMap(({ uid = "", name, path }): Suspicion[] => {
    const last = lastDelivered[uid];
    if (last === undefined) return [];
    const message = `this deletes the webhook "${name}", whose last delivery was received at ${last}: its senders get 404`;
    return [{ code: "deletes_used_webhook", message, path }];
  });
  return [...most, ...used];
}

function mostMessage(deleted: readonly DefinitionChange[], count: number): string {
  const names = deleted.slice(0, 5).map(({ name }) => `"${name}"`);
  const more = deleted.length > names.length ? ` and ${deleted.length - names.length} more` : "";
  return `this deletes ${deleted.length} of ${count} webhooks: ${names.join(", ")}${more}`;
}

const STRICTNESS: readonly PruneGuard[] = ["off", "warn", "block"];

/** The guard that counts: a definition does not get round the one in force by saying less in the same breath. */
export function stricterGuard(one: PruneGuard, other: PruneGuard): PruneGuard {
  return STRICTNESS.indexOf(one) > STRICTNESS.indexOf(other) ? one : other;
}
