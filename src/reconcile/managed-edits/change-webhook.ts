import { withWebhookFields } from "../../definitions/webhook-text.ts";
import { MillraceError } from "../../errors/error.ts";
import type { ActiveWebhook } from "../active-definition.ts";
import type { Editable, Edits } from "./edit.ts";
import { findEntry, type Precondition, resourceTag } from "./tag.ts";

/** What of a webhook can be changed; null takes the header away. */
export interface WebhookChange {
  enabled?: boolean;
  deliveryIdHeader?: string | null;
}

/** Changes fields in the file of a webhook, where they are others. */
export async function changeWebhook(
  uid: string,
  change: WebhookChange,
  check: Precondition,
  current: Editable,
): Promise<Edits | undefined> {
  const { webhook } = findLive(uid, check, current);
  const { enabled, deliveryIdHeader } = change;
  const fields = {
    ...(enabled === undefined || enabled === webhook.enabled ? {} : { enabled }),
    ...(deliveryIdHeader === undefined || deliveryIdHeader === (webhook.deliveryIdHeader ?? null)
      ? {}
      : { deliveryIdHeader }),
  };
  if (Object.keys(fields).length === 0) return undefined;
  const text = await textOf(webhook.path, current);
  return {
    message: `${verbOf(fields)} the webhook ${webhook.name}`,
    files: [{ path: webhook.path, content: Buffer.from(withWebhookFields(text, fields)) }],
  };
}

function verbOf({ enabled, deliveryIdHeader }: WebhookChange): string {
  if (enabled === undefined || deliveryIdHeader !== undefined) return "Change";
  return enabled ? "Enable" : "Disable";
}

/**
 * Takes the file of a webhook away. Automations that select it stay as they are, and do not fire for it: by its name or its
 * uid, they find it again when a webhook of that name returns.
 */
export function deleteWebhook(uid: string, check: Precondition, current: Editable): Edits {
  const { webhook } = findLive(uid, check, current);
  return {
    message: `Delete the webhook ${webhook.name}`,
    files: [{ path: webhook.path, content: null }],
  };
}

function findLive(uid: string, check: Precondition, { active, factory }: Editable): ActiveWebhook {
  const found = findActiveWebhook(uid, { active, factory });
  const resource = active.resources.find((each) => each.kind === "webhook" && each.uid === uid);
  check(resource && resourceTag(resource));
  return found;
}

/** A webhook that is in force. @throws MillraceError `resource_not_found` */
export function findActiveWebhook(
  uid: string,
  { active, factory }: Pick<Editable, "active" | "factory">,
): ActiveWebhook {
  const found = active.webhooks.find((webhook) => webhook.uid === uid);
  if (found) return found;
  throw new MillraceError(
    "resource_not_found",
    `The factory "${factory.name}" no longer has a webhook with the UID "${uid}".`,
    { remedy: "`millrace webhooks list` shows its webhooks." },
  );
}

async function textOf(path: string, { tree }: Editable): Promise<string> {
  const entry = findEntry(tree, path);
  const bytes = entry && (await tree.read([entry])).get(entry.id);
  if (bytes) return bytes.toString("utf8").replace(/^\ufeff/, "");
  throw new Error(`${path} is applied but missing from the definition's files`);
}
