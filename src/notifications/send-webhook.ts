import type { OutboundAnswer } from "../outbound/outbound-client.ts";
import { type PostOptions, postSigned } from "../outbox/post-signed.ts";
import type { Notification } from "./notification.ts";

/** Posts a notification as JSON, signed as Standard Webhooks has it. */
export function sendWebhook(
  { id, event, content }: Pick<Notification, "id" | "event" | "content">,
  options: Omit<PostOptions, "id">,
): Promise<OutboundAnswer> {
  const { event: _, at, ...data } = content;
  return postSigned(JSON.stringify({ type: event, timestamp: at, id, data }), { ...options, id });
}
