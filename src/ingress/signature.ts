import {
  createHmac,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { at } from "../definitions/filters/payload-field.ts";
import {
  BASE64,
  type SignatureMethod,
  type SignedPart,
  type TimestampRule,
} from "../definitions/schemes/scheme.ts";
import type { RequestBody } from "../edge/read-body.ts";
import { parseInstant } from "../time/instant.ts";
import { type Arrival, type Authentication, deliveryIdAt, onlyHeader, presentName } from "./arrival.ts";

/** A header may list this many signatures; each costs a comparison. */
const MAX_SIGNATURES = 32;

/** Prepares the check of one way of signing. Raw bytes from end to end: nothing is decoded before it is verified. */
export function compileSignature(method: SignatureMethod, key: Buffer) {
  const matches = method.algorithm === "ed25519" ? ed25519(key) : hmac(method, method.algorithm, key);
  return (arrival: Arrival, body: RequestBody): Authentication => {
    const listed = listSignatures(method, arrival);
    if ("reason" in listed) return { ok: false, ...listed };
    const { entries, candidates } = listed;
    const timestamp = readTimestamp(method.timestamp, arrival, entries);
    if ("reason" in timestamp) return { ok: false, ...timestamp };
    const signed = signedText(method.signed, arrival, timestamp.text);
    if ("reason" in signed) return { ok: false, ...signed };
    if (!matches(signed, body.bytes, candidates)) {
      return { ok: false, reason: "no signature matches the body and the webhook's secret" };
    }
    const stale = staleBody(method.timestamp, arrival, body);
    if (stale) return { ok: false, reason: stale };
    return { ok: true, providerId: deliveryIdAt(method.deliveryId, arrival, body) };
  };
}

/** The entries of the signature header, and of them the signatures of the version that counts. */
function listSignatures(
  { headers, separator, prefix }: SignatureMethod,
  arrival: Arrival,
): { entries: string[]; candidates: string[] } | { reason: string } {
  const name = presentName(arrival.headers, headers);
  const header = separator === undefined ? onlyHeader(arrival, [name]) : joined(name, separator, arrival);
  if ("reason" in header) return header;
  const entries =
    separator === undefined ? [header.value] : header.value.split(separator).map((e) => e.trim());
  const candidates = entries
    .filter((entry) => entry.startsWith(prefix) && entry.length > prefix.length)
    .map((entry) => entry.slice(prefix.length));
  if (candidates.length === 0)
    return { reason: `the ${name} header has no signature that starts with "${prefix}"` };
  if (candidates.length > MAX_SIGNATURES)
    return { reason: `the ${name} header has more than ${MAX_SIGNATURES} signatures` };
  return { entries, candidates };
}

function joined(
  name: string,
  separator: string,
  { headers }: Arrival,
): { value: string } | { reason: string } {
  const value = headers[name]?.join(separator) ?? "";
  return value === "" ? { reason: `the ${name} header is missing` } : { value };
}

/** The text of the timestamp as it was signed, when it is near enough; one inside the body is looked at later. */
function readTimestamp(
  rule: TimestampRule | undefined,
  arrival: Arrival,
  entries: readonly string[],
): { text: string } | { reason: string } {
  if (!rule || "body" in rule.at) return { text: "" };
  const found = "entry" in rule.at ? onlyEntry(entries, rule.at.entry) : onlyHeader(arrival, rule.at.headers);
  if ("reason" in found) return found;
  // Digits only: what a lenient parser reads a number out of is not what was signed.
  const isIso = rule.unit === "iso";
  if (!isIso && !/^[1-9][0-9]{0,14}$/.test(found.value))
    return { reason: "the timestamp is not a whole number" };
  const time = isIso ? isoTime(found.value) : Number(found.value);
  if (time === undefined) return { reason: "the timestamp is not a date and time with an offset (RFC 3339)" };
  const late = tooFar(time, rule, arrival.now);
  return late ? { reason: late } : { text: found.value };
}

/** Queries may leave out the offset or have a space in it; a timestamp that is signed may not. */
const RFC_3339 = /^[\d-]{10}T[\d:]{8}(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970 of a date and time with an offset; nothing for anything else. */
function isoTime(text: unknown): number | undefined {
  return typeof text === "string" && RFC_3339.test(text) ? parseInstant(text) : undefined;
}

function onlyEntry(entries: readonly string[], prefix: string): { value: string } | { reason: string } {
  const [value, second] = entries.filter((entry) => entry.startsWith(prefix));
  if (value === undefined) return { reason: `the signature header has no entry ${prefix}` };
  if (second !== undefined) return { reason: `the signature header repeats the entry ${prefix}` };
  return { value: value.slice(prefix.length) };
}

/** Why a timestamp is refused: it is further from now than the rule allows, before or after. */
function tooFar(
  timestamp: number,
  { unit, toleranceSeconds }: TimestampRule,
  nowMs: number,
): string | undefined {
  const ageSeconds = unit === "s" ? Math.floor(nowMs / 1_000) - timestamp : (nowMs - timestamp) / 1_000;
  if (Math.abs(ageSeconds) <= toleranceSeconds) return undefined;
  const distance = `${Math.ceil(Math.abs(ageSeconds))} s ${ageSeconds > 0 ? "old" : "in the future"}`;
  const shown =
    Math.abs(ageSeconds) < DAY_SECONDS
      ? distance
      : dateOf(unit === "s" ? timestamp * 1_000 : timestamp, unit);
  return `the timestamp is ${shown}; the limit is ${toleranceSeconds} s`;
}

const DAY_SECONDS = 86_400;
const YEAR_10000_MS = Date.UTC(10_000, 0);

/** Far from now, a date tells more; one that is too far was counted in a smaller unit. */
function dateOf(ms: number, unit: TimestampRule["unit"]): string {
  if (Math.abs(ms) < YEAR_10000_MS) return new Date(ms).toISOString();
  const counted = `when counted in ${unit === "s" ? "seconds" : "milliseconds"}`;
  return ms > 0 ? `after the year 9999 ${counted}` : `thousands of years old ${counted}`;
}

/** The check of a timestamp that stands in the body, which is read only when its signature is right. */
function staleBody(rule: TimestampRule | undefined, { now }: Arrival, body: RequestBody): string | undefined {
  if (!rule || !("body" in rule.at)) return undefined;
  const json = body.json();
  // What is not JSON is refused as such, right after this.
  if (!json) return undefined;
  const found = at(json.value, ...rule.at.body);
  const timestamp = rule.unit === "iso" ? isoTime(found) : found;
  if (!Number.isSafeInteger(timestamp)) return `the body has no timestamp at ${rule.at.body.join(".")}`;
  return tooFar(timestamp as number, rule, now);
}

/** What is signed in front of the body and behind it: one character a byte, as Node reads headers. */
interface SignedText {
  before: string;
  after: string;
}

function signedText(
  parts: readonly SignedPart[],
  arrival: Arrival,
  timestamp: string,
): SignedText | { reason: string } {
  const text: SignedText = { before: "", after: "" };
  let side: keyof SignedText = "before";
  for (const [index, part] of parts.entries()) {
    if (part === "body") side = "after";
    else if (part === "timestamp") text[side] += timestamp;
    else if ("text" in part) text[side] += Buffer.from(part.text).toString("latin1");
    else {
      const header = onlyHeader(arrival, part.headers);
      if ("reason" in header) return header;
      const next = parts[index + 1];
      // A value that holds the delimiter could be read in two ways, and an old message be shown as a new one.
      if (typeof next === "object" && "text" in next && header.value.includes(next.text)) {
        return { reason: `the ${part.headers.at(-1)} header contains "${next.text}"` };
      }
      text[side] += header.value;
    }
  }
  return text;
}

type Matches = (signed: SignedText, body: Buffer, candidates: readonly string[]) => boolean;

/** Encoded texts are compared, not decoded bytes: a decoder would accept several spellings of one signature. */
function hmac({ encoding }: SignatureMethod, algorithm: string, bytes: Buffer): Matches {
  const key = createSecretKey(bytes);
  return (signed, body, candidates) => {
    const sum = createHmac(algorithm, key)
      .update(signed.before, "latin1")
      .update(body)
      .update(signed.after, "latin1");
    const expected = Buffer.from(sum.digest(encoding));
    return candidates.some((candidate) => {
      const given = Buffer.from(candidate);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  };
}

const ED25519_SIGNATURE_CHARACTERS = 88;
/** What stands before a raw Ed25519 key in its SubjectPublicKeyInfo form (RFC 8410). */
const ED25519_SPKI = Buffer.from("302a300506032b6570032100", "hex");

function ed25519(bytes: Buffer): Matches {
  const key: KeyObject = createPublicKey({
    key: Buffer.concat([ED25519_SPKI, bytes]),
    format: "der",
    type: "spki",
  });
  return (signed, body, candidates) => {
    const message = Buffer.concat([
      Buffer.from(signed.before, "latin1"),
      body,
      Buffer.from(signed.after, "latin1"),
    ]);
    return candidates.some(
      (candidate) =>
        candidate.length === ED25519_SIGNATURE_CHARACTERS &&
        BASE64.test(candidate) &&
        verify(null, message, key, Buffer.from(candidate, "base64")),
    );
  };
}
