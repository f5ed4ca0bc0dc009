import { parseDocument, stringify } from "yaml";
import type { WrittenWebhook } from "./written.ts";

/** The text of a new webhook file. What is undefined is left out. */
export function webhookText(webhook: WrittenWebhook): string {
  return stringify(JSON.parse(JSON.stringify(webhook)), { lineWidth: 0 });
}

/**
 * The text of a webhook file with some fields changed; comments and everything else stay. Null takes a field away.
 * @param text of a file that is valid
 */
export function withWebhookFields(
  text: string,
  fields: { readonly [Name in "enabled" | "deliveryIdHeader"]?: WrittenWebhook[Name] | null },
): string {
  const document = parseDocument(text, { version: "1.2", uniqueKeys: false });
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) document.delete(name);
    else if (value !== undefined) document.set(name, value);
  }
  return document.toString({ lineWidth: 0 });
}
