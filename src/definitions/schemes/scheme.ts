import type { PayloadPattern } from "../filters/filter.ts";

/**
 * How a sender's deliveries prove who sent them, as data: one provider is one value of this type. `ingress/` verifies
 * and signs by it, the rules of the webhook file know its headers, and `signatureScheme: custom` is one written by hand.
 */
export interface Scheme {
  /** Which of them is in force is decided by the secret alone, so that no request can choose a weaker one. */
  methods: readonly SchemeMethod[];
  /** A request that only asks whether somebody listens: it is verified and answered, and is no delivery. */
  handshake?: Handshake;
  /** The header that says what a delivery tells of, in lower case. It is kept with the delivery. */
  eventHeader?: string;
}

export type SchemeMethod = SignatureMethod | SharedTokenMethod;

/** A signature over the raw bytes of the body and what else the provider signs with them. */
export interface SignatureMethod {
  kind: "signature";
  key: KeyForm;
  /** Names of the header with the signature; the first that is there counts. */
  headers: readonly string[];
  /** What stands between several entries of that header. Without it, the header is one entry. */
  separator?: string;
  /** What an entry starts with. Entries that start otherwise are of another version and count for nothing. */
  prefix: string;
  algorithm: "sha1" | "sha256" | "sha512" | "ed25519";
  encoding: "hex" | "base64";
  signed: readonly SignedPart[];
  timestamp?: TimestampRule;
  deliveryId?: DeliveryIdPlace;
}

/** The secret itself in a header. */
export interface SharedTokenMethod {
  kind: "token";
  key: KeyForm;
  header: string;
  /** A signature header: where it is there, the token beside it proves nothing. */
  notBeside: string;
  deliveryId?: DeliveryIdPlace;
}

/** How the key is got from the text of the secret. */
interface KeyForm {
  /** What a secret of this form starts with; not part of the key. */
  prefix?: string;
  /** Whether a secret without the prefix is of this form too. */
  prefixOptional?: boolean;
  encoding: "text" | "base64" | "hex";
}

export type SignedPart = "body" | "timestamp" | { text: string } | { headers: readonly string[] };

/** `iso` is a date and time with an offset, as RFC 3339 has it. */
export type TimestampUnit = "s" | "ms" | "iso";

export interface TimestampRule {
  /** In a header, in an entry of the signature header, or in the signed body. */
  at: { headers: readonly string[] } | { entry: string } | { body: readonly string[] };
  unit: TimestampUnit;
  /** How far it may be from now, in both directions. */
  toleranceSeconds: number;
}

/** Where the sender's own id of a delivery stands. In the body it is signed, so a replay cannot change it. */
export type DeliveryIdPlace = { headers: readonly string[] } | { body: readonly string[] };

export interface Handshake {
  /** What the body of a handshake is like. */
  when: PayloadPattern;
  /** The fields of the answer: texts of the body, or their HMAC by the webhook's secret and the scheme's hash function. */
  answer: Record<string, { body: string[] } | { hmac: { body: string[] }; encoding: "hex" | "base64" }>;
}

/** A scheme as `millrace.scheme` of a webhook file has it; `schemas/` has checked its shape. */
export interface WrittenScheme {
  header: string;
  separator?: string;
  prefix?: string;
  digest?: "sha1" | "sha256" | "sha512";
  encoding?: "hex" | "base64";
  key?: KeyForm["encoding"];
  signed?: ("body" | "timestamp" | { text: string } | { header: string })[];
  timestamp?: { unit?: TimestampUnit; tolerance?: number } & (
    | { header: string }
    | { entry: string }
    | { body: string[] }
  );
  deliveryId?: { header: string } | { body: string[] };
  handshake?: Handshake;
}

/** Five minutes, as Stripe and Standard Webhooks have it (spec, Limits). */
export const DEFAULT_TOLERANCE_SECONDS = 300;

/** The scheme that a webhook file describes by hand, with its defaults filled in. */
export function customScheme(written: WrittenScheme): Scheme {
  const { header, separator, timestamp, deliveryId } = written;
  const method: SignatureMethod = {
    kind: "signature",
    key: { encoding: written.key ?? "text" },
    headers: [header.toLowerCase()],
    ...(separator === undefined ? {} : { separator: onTheWire(separator) }),
    prefix: onTheWire(written.prefix ?? ""),
    algorithm: written.digest ?? "sha256",
    encoding: written.encoding ?? "hex",
    signed: (written.signed ?? ["body"]).map((part) =>
      typeof part === "object" && "header" in part ? { headers: [part.header.toLowerCase()] } : part,
    ),
    ...(timestamp ? { timestamp: timestampRule(timestamp) } : {}),
    ...(deliveryId ? { deliveryId: place(deliveryId) } : {}),
  };
  return { methods: [method], ...(written.handshake ? { handshake: written.handshake } : {}) };
}

/** A text inside a header, as Node reads it: one character for each byte of its UTF-8. */
function onTheWire(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function timestampRule(written: NonNullable<WrittenScheme["timestamp"]>): TimestampRule {
  return {
    at: "entry" in written ? { entry: onTheWire(written.entry) } : place(written),
    unit: written.unit ?? "s",
    toleranceSeconds: written.tolerance ?? DEFAULT_TOLERANCE_SECONDS,
  };
}

function place(written: { header: string } | { body: string[] }): DeliveryIdPlace {
  return "header" in written ? { headers: [written.header.toLowerCase()] } : { body: written.body };
}

/** The headers of a scheme that carry a credential, in lower case. */
export function credentialHeaders({ methods }: Scheme): string[] {
  return methods.flatMap((method) => (method.kind === "token" ? [method.header] : method.headers));
}

const ED25519_KEY_BYTES = 32;

/** The method that a secret is for, with the key that it holds; or why it cannot be used. */
export function chooseMethod(
  { methods }: Scheme,
  secret: string,
): { method: SchemeMethod; key: Buffer } | { unusable: string } {
  if (secret.trim() === "") return { unusable: "the webhook's secret is blank" };
  const method = methods.find(
    ({ key }) => !key.prefix || key.prefixOptional || secret.startsWith(key.prefix),
  );
  if (!method) return { unusable: "the secret does not have a form that the scheme supports" };
  const key = decodeKey(secret, method.key);
  if (!key || key.length === 0) {
    return { unusable: `the webhook's secret is not ${method.key.encoding}, which its scheme requires` };
  }
  if (method.kind === "signature" && method.algorithm === "ed25519" && key.length !== ED25519_KEY_BYTES) {
    return { unusable: `the webhook's secret is not an Ed25519 public key of ${ED25519_KEY_BYTES} bytes` };
  }
  return { method, key };
}

/** Node skips what is not of an encoding, so a text counts only when it is so from its first to its last character. */
export const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const HEX = /^(?:[0-9a-fA-F]{2})*$/;

function decodeKey(secret: string, { prefix = "", encoding }: KeyForm): Buffer | undefined {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  if (encoding === "text") return Buffer.from(text);
  return (encoding === "base64" ? BASE64 : HEX).test(text) ? Buffer.from(text, encoding) : undefined;
}
