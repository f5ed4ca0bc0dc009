import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Webhook } from "../definitions/definition.ts";
import { chooseMethod, type SignatureMethod, type SignedPart } from "../definitions/schemes/scheme.ts";
import { schemeOf } from "../definitions/schemes/schemes.ts";
import { MillraceError } from "../errors/error.ts";
import { newUuid } from "../id.ts";
import { SERVICE_DELIVERY_HEADER } from "./identify.ts";

/** How a delivery is sent so that its webhook lets it in. */
export interface SignedDelivery {
  /** Goes behind the webhook's URL: empty, or `/TOKEN`. */
  pathSuffix: string;
  headers: Record<string, string>;
}

export interface SigningOptions {
  webhook: Webhook;
  secret: string;
  body: Uint8Array;
  /** What the delivery is known by, where its scheme takes that from a header. */
  id: string;
  now: Date;
}

/**
 * Signs a delivery as its provider would: the inverse of the check, by the same table.
 * @throws MillraceError `operation_not_supported` when the secret verifies and cannot sign
 */
export function signDelivery({ webhook, secret, body, id, now }: SigningOptions): SignedDelivery {
  const plain = { [SERVICE_DELIVERY_HEADER]: id };
  if (webhook.authMode === "token") {
    return { pathSuffix: "", headers: { ...plain, authorization: `Bearer ${headerBytes(secret)}` } };
  }
  if (webhook.authMode === "url_token") return { pathSuffix: `/${secret}`, headers: plain };

  const scheme = schemeOf(webhook);
  const chosen = scheme ? chooseMethod(scheme, secret) : { unusable: "the scheme is unknown" };
  if ("unusable" in chosen)
    throw cannotSign(
      webhook,
      chosen.unusable,
      `Set ${webhook.secretName} to the secret that the sender signs with.`,
    );
  const { method, key } = chosen;
  const idHeader =
    method.deliveryId && "headers" in method.deliveryId ? method.deliveryId.headers[0] : undefined;
  const idHeaders = idHeader ? { [idHeader]: id } : plain;
  if (method.kind === "token")
    return { pathSuffix: "", headers: { ...idHeaders, [method.header]: headerBytes(secret) } };
  return {
    pathSuffix: "",
    headers: { ...idHeaders, ...signatureHeaders(method, { key, body, id, now, webhook }) },
  };
}

/** A header goes out byte for byte, so a text has to be handed over as the bytes of its UTF-8. */
function headerBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

interface Signing {
  key: Buffer;
  body: Uint8Array;
  id: string;
  now: Date;
  webhook: Webhook;
}

function signatureHeaders(
  method: SignatureMethod,
  { key, body, id, now, webhook }: Signing,
): Record<string, string> {
  if (method.algorithm === "ed25519") {
    throw cannotSign(
      webhook,
      "its secret is a public key, which can verify signatures but not create them",
      "Send a test event from the provider instead.",
    );
  }
  const { timestamp } = method;
  const seconds = String(Math.floor(now.getTime() / 1_000));
  const time = { s: seconds, ms: String(now.getTime()), iso: now.toISOString() }[timestamp?.unit ?? "s"];
  const headers: Record<string, string> = {};
  if (timestamp && "headers" in timestamp.at) headers[timestamp.at.headers[0] ?? ""] = time;
  const sum = createHmac(method.algorithm, key);
  for (const part of method.signed) {
    if (part === "body") sum.update(body);
    else sum.update(textOf(part, time, id));
    if (typeof part === "object" && "headers" in part) headers[part.headers[0] ?? ""] = id;
  }
  const signature = method.prefix + sum.digest(method.encoding);
  const entries = timestamp && "entry" in timestamp.at ? [timestamp.at.entry + time, signature] : [signature];
  return { ...headers, [method.headers[0] ?? ""]: entries.join(method.separator) };
}

function textOf(part: Exclude<SignedPart, "body">, time: string, id: string): string {
  if (part === "timestamp") return time;
  return "text" in part ? part.text : id;
}

function cannotSign({ name }: Webhook, why: string, remedy: string): MillraceError {
  const message = `The server cannot sign a delivery for the webhook "${name}": ${why}.`;
  return new MillraceError("operation_not_supported", message, { remedy });
}

/** A body for a test delivery, with what the webhook's scheme looks for inside a body. */
export function testPayload(webhook: Webhook, secret: string, id: string, now: Date): object {
  const payload: Record<string, unknown> = { test: true, webhook: webhook.name, sent_at: now.toISOString() };
  const scheme = webhook.authMode === "signature" ? schemeOf(webhook) : undefined;
  const chosen = scheme && chooseMethod(scheme, secret);
  if (!chosen || "unusable" in chosen) return payload;
  const { method } = chosen;
  if (method.deliveryId && "body" in method.deliveryId) place(payload, method.deliveryId.body, id);
  if (method.kind === "signature" && method.timestamp && "body" in method.timestamp.at) {
    const { unit, at } = method.timestamp;
    place(payload, at.body, unit === "ms" ? now.getTime() : Math.floor(now.getTime() / 1_000));
  }
  return payload;
}

/** Sets a field at a path. The path comes from a definition: its keys are own properties, whatever they are called. */
function place(payload: object, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    setOwn(payload, key, value);
    return;
  }
  const present = Object.getOwnPropertyDescriptor(payload, key)?.value;
  const inner = typeof present === "object" && present !== null ? present : {};
  setOwn(payload, key, inner);
  place(inner, rest, value);
}

function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

const HEADER = "x-millrace-test";

/** The deliveries that this server sends to itself as tests, each known by a word that nobody else has heard. */
export interface OwnDeliveries {
  /** Sends one. @param post is given the headers that tell it from others' */
  sending<T>(post: (headers: Record<string, string>) => Promise<T>): Promise<T>;
  /** Whether a request is one of them. */
  includes(headers: IncomingHttpHeaders): boolean;
}

/** What a person here writes is signed as if its provider had sent it: only the way of the request tells the two apart. */
export function ownDeliveries(): OwnDeliveries {
  const underWay = new Set<string>();
  return {
    async sending(post) {
      const word = newUuid();
      underWay.add(word);
      try {
        return await post({ [HEADER]: word });
      } finally {
        underWay.delete(word);
      }
    },
    includes(headers) {
      const word = headers[HEADER];
      return typeof word === "string" && underWay.has(word);
    },
  };
}
