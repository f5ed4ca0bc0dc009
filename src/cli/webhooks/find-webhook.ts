import type { Millrace, Models } from "../../client/client.ts";
import { MillraceError } from "../../errors/error.ts";

/** The webhooks that a factory has. */
export function listWebhooks(client: Millrace, factory: string): Promise<Models["Webhook"][]> {
  return client.webhooks.list(factory, { limit: 500 }).toArray();
}

/** A webhook by its name or uid. @throws MillraceError `resource_not_found` */
export async function findWebhook(
  client: Millrace,
  factory: string,
  name: string,
): Promise<Models["Webhook"]> {
  const found = (await listWebhooks(client, factory)).find(
    (webhook) => webhook.name === name || webhook.uid === name,
  );
  if (found) return found;
  throw new MillraceError("resource_not_found", `Factory "${factory}" has no webhook "${name}".`, {
    remedy: "Run `millrace webhooks list` to list its webhooks.",
  });
}
