import { Webhook } from "standardwebhooks";
import { OutboundError } from "../outbound/address-rules.ts";
import type { OutboundAnswer, OutboundClient } from "../outbound/outbound-client.ts";

export interface PostOptions {
  url: string;
  /** What the request is signed with. */
  secret: string | undefined;
  /** The id of the message in its outbox. */
  id: string;
  client: OutboundClient;
  now: Date;
  signal: AbortSignal;
  /** How many bytes of the answer are kept. */
  keepAnswer?: number;
}

/** Node skips what is not of an encoding, so a text counts only when it is so from its first to its last character. */
const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;
const PREFIX = "whsec_";
const USER_AGENT = "millrace";

/**
 * Posts JSON, signed as Standard Webhooks has it where there is a secret.
 * @throws OutboundError when there is no answer, or the secret cannot sign
 */
export function postSigned(
  body: string,
  { url, secret, id, client, now, signal, keepAnswer }: PostOptions,
): Promise<OutboundAnswer> {
  const sentId = messageId(id);
  const signature =
    secret === undefined
      ? {}
      : {
          "webhook-id": sentId,
          "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
          "webhook-signature": new Webhook(signingKey(secret), { format: "raw" }).sign(sentId, now, body),
        };
  const headers = { "content-type": "application/json", "user-agent": USER_AGENT, ...signature };
  return client({ url, headers, body, signal, ...(keepAnswer === undefined ? {} : { keepAnswer }) });
}

/** What a receiver tells repetitions by: the same for every attempt. */
export function messageId(id: string): string {
  return `msg_${id}`;
}

/** As the library of a receiver reads the same text: base64, with or without its prefix. Any other text is the key itself. */
function signingKey(secret: string): Uint8Array {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (BASE64.test(text)) return Buffer.from(text, "base64");
  if (secret.startsWith(PREFIX)) throw new OutboundError("the signing secret is not base64 after whsec_");
  return Buffer.from(secret);
}
