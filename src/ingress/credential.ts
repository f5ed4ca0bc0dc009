import { createHmac, timingSafeEqual } from "node:crypto";
import type { Webhook } from "../definitions/definition.ts";
import { compileFilter } from "../definitions/filters/compile-filter.ts";
import { at } from "../definitions/filters/payload-field.ts";
import {
  chooseMethod,
  type Handshake,
  type Scheme,
  type SharedTokenMethod,
} from "../definitions/schemes/scheme.ts";
import { SCHEMES, schemeOf } from "../definitions/schemes/schemes.ts";
import type { RequestBody } from "../edge/read-body.ts";
import { type Arrival, type Authentication, deliveryIdAt, onlyHeader } from "./arrival.ts";
import { sha256 } from "./identify.ts";
import { compileSignature } from "./signature.ts";

/**
 * What a webhook lets deliveries in by, with the secret inside. Of the other modes' credentials it knows nothing, so
 * that none of them can rescue a delivery.
 */
export type Credential = TokenCredential | SignatureCredential;

/** Can be checked before the body is read. */
interface TokenCredential {
  kind: "token";
  check(arrival: Arrival): Authentication;
}

/** Covers the bytes of the body. */
interface SignatureCredential {
  kind: "signature";
  check(arrival: Arrival, body: RequestBody): Authentication;
  /** Answers by the secret that has proved the request: the sender has no other. */
  handshake(payload: unknown, provedBy: "current" | "previous"): ReturnType<AnswerHandshake>;
}

/** Prepares the check of a webhook's mode and scheme. A secret that cannot be used lets nobody in. */
export function compileCredential(webhook: Webhook, secret: string): Credential {
  if (webhook.authMode === "signature") {
    const { check, handshake } = compileScheme(schemeOf(webhook), secret);
    return {
      kind: "signature",
      check: (arrival, body) => surplusToken(arrival) ?? ofOther(webhook, arrival, check(arrival, body)),
      handshake,
    };
  }
  if (secret.trim() === "") return { kind: "token", check: () => refused("the webhook's secret is blank") };
  const expected = sha256(secret);
  if (webhook.authMode === "url_token")
    return { kind: "token", check: (arrival) => checkUrlToken(arrival, expected) };
  return {
    kind: "token",
    check: (arrival) => surplusToken(arrival) ?? ofOther(webhook, arrival, checkBearer(arrival, expected)),
  };
}

/** The headers in which providers sign, with the schemes that they belong to. */
const SIGNERS: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, string[]>();
  for (const [name, scheme] of Object.entries(SCHEMES))
    for (const header of new Set(scheme.methods.flatMap(credentialHeaders)))
      found.set(header, [...(found.get(header) ?? []), name]);
  return found;
})();

function credentialHeaders(method: Scheme["methods"][number]): readonly string[] {
  return method.kind === "token" ? [method.header] : method.headers;
}

/** Says whose delivery it looks like, where it lacks the credential of this webhook and has that of another provider. */
function ofOther(webhook: Webhook, { headers }: Arrival, authentication: Authentication): Authentication {
  if (authentication.ok) return authentication;
  const own =
    webhook.authMode === "signature"
      ? (schemeOf(webhook)?.methods ?? []).flatMap(credentialHeaders)
      : ["authorization"];
  if (own.some((header) => headers[header] !== undefined)) return authentication;
  const other = [...SIGNERS].find(([header]) => headers[header] !== undefined);
  if (!other) return authentication;
  const [header, schemes] = other;
  return refused(
    `${authentication.reason}; the ${header} header is present, which looks like the signature scheme ${schemes.join(" or ")}`,
  );
}

/** Prepares the check of a way of signing with a secret. */
export function compileScheme(scheme: Scheme | undefined, secret: string): Omit<SignatureCredential, "kind"> {
  const chosen = scheme ? chooseMethod(scheme, secret) : { unusable: "the scheme is unknown" };
  const noHandshake = () => undefined;
  if ("unusable" in chosen) return { check: () => refused(chosen.unusable), handshake: noHandshake };
  const { method, key } = chosen;
  if (method.kind === "token")
    return { check: compileSharedToken(method, sha256(secret)), handshake: noHandshake };
  const check = compileSignature(method, key);
  if (!scheme?.handshake) return { check, handshake: noHandshake };
  const handshake = compileHandshake(scheme.handshake, method.algorithm, key);
  if (!signsForSenders(scheme.handshake)) return { check, handshake };
  return {
    check: (arrival, body) => refuseTokens(check(arrival, body), body),
    handshake,
  };
}

/** Whoever sends a token in the URL means another kind of webhook. */
function surplusToken({ urlToken }: Arrival): Authentication | undefined {
  return urlToken === undefined
    ? undefined
    : refused("the URL contains a token, which this webhook does not use");
}

function checkBearer(arrival: Arrival, expected: Buffer): Authentication {
  const header = onlyHeader(arrival, ["authorization"]);
  if ("reason" in header) return refused(header.reason);
  const token = /^Bearer +(\S.*)$/i.exec(header.value)?.[1];
  if (token === undefined) return refused("the Authorization header does not have the form Bearer TOKEN");
  return equalInConstantTime(headerBytes(token), expected)
    ? { ok: true }
    : refused("the bearer token does not match");
}

function checkUrlToken({ urlToken }: Arrival, expected: Buffer): Authentication {
  if (urlToken === undefined) return refused("the URL does not contain a token");
  return equalInConstantTime(Buffer.from(urlToken), expected)
    ? { ok: true }
    : refused("the token in the URL does not match");
}

function compileSharedToken(method: SharedTokenMethod, expected: Buffer) {
  return (arrival: Arrival, body: RequestBody): Authentication => {
    if (arrival.headers[method.notBeside]) {
      return refused(
        `the request has a ${method.notBeside} header, but the webhook's secret is not a signing secret`,
      );
    }
    const header = onlyHeader(arrival, [method.header]);
    if ("reason" in header) return refused(header.reason);
    if (!equalInConstantTime(headerBytes(header.value), expected))
      return refused(`the ${method.header} header does not match`);
    return { ok: true, providerId: deliveryIdAt(method.deliveryId, arrival, body) };
  };
}

function refused(reason: string): Authentication {
  return { ok: false, reason };
}

/** Compares digests, so that neither the content nor the length of the credential shows in the time it takes. */
function equalInConstantTime(given: Buffer, expected: Buffer): boolean {
  return timingSafeEqual(sha256(given), expected);
}

/** Node reads a header byte for byte, and a secret is sent as UTF-8. */
function headerBytes(value: string): Buffer {
  return Buffer.from(value, "latin1");
}

/** The answer to a payload that only asks, signed, whether somebody listens at this address; nothing for a delivery. */
type AnswerHandshake = (payload: unknown) => { answer: object } | { refused: string } | undefined;

/**
 * What is signed for a sender. It has none of the brackets that each delivery of such a scheme has, so the answer is
 * never the signature of a delivery.
 */
const TOKEN = /^[A-Za-z0-9_.~+/=-]{1,512}$/;

/**
 * Prepares the answers of a scheme. A body that lacks what the answer is made of is a delivery.
 * @param algorithm the hash function of the scheme's signatures
 */
function compileHandshake({ when, answer }: Handshake, algorithm: string, key: Uint8Array): AnswerHandshake {
  const { matches } = compileFilter(when);
  const parts = Object.entries(answer);
  return (payload) => {
    if (!matches(payload)) return undefined;
    const fields: [string, string][] = [];
    for (const [name, part] of parts) {
      const path = "hmac" in part ? part.hmac.body : part.body;
      const text = at(payload, ...path);
      if (typeof text !== "string") return undefined;
      if ("hmac" in part && !TOKEN.test(text)) {
        const refused = `the handshake asks to sign ${path.join(".")}, which is not a token: only letters, digits and _ . ~ + / = - are signed, at most 512 of them`;
        return { refused };
      }
      const value = "hmac" in part ? createHmac(algorithm, key).update(text).digest(part.encoding) : text;
      fields.push([name, value]);
    }
    return { answer: Object.fromEntries(fields) };
  };
}

/** Whether the answers of a scheme sign something of the sender's. */
function signsForSenders({ answer }: Handshake): boolean {
  return Object.values(answer).some((part) => "hmac" in part);
}

/** Of a scheme that signs tokens for senders, a body that might be a token itself proves nothing. */
function refuseTokens(proved: Authentication, body: RequestBody): Authentication {
  const json = proved.ok ? body.json() : undefined;
  // What is not JSON is refused as such, right after this.
  if (!json || (typeof json.value === "object" && json.value !== null)) return proved;
  return { ok: false, reason: "the body is not a JSON object or list, and the handshake signs other texts" };
}

/**
 * Lets in by the previous credential as well, until an instant. Until then both are checked for every delivery, so that the time of
 * an answer does not tell which of them was right.
 * @param until milliseconds of the wall clock
 */
export function withPrevious(current: Credential, previous: Credential, until: number): Credential {
  if (current.kind === "token" && previous.kind === "token") {
    return {
      kind: "token",
      check: (arrival) => either(arrival, until, current.check(arrival), () => previous.check(arrival)),
    };
  }
  if (current.kind === "signature" && previous.kind === "signature") {
    return {
      kind: "signature",
      check: (arrival: Arrival, body: RequestBody) =>
        either(arrival, until, current.check(arrival, body), () => previous.check(arrival, body)),
      handshake: (payload, provedBy) =>
        (provedBy === "previous" ? previous : current).handshake(payload, provedBy),
    };
  }
  return current;
}

function either(
  { now }: Arrival,
  until: number,
  byCurrent: Authentication,
  checkPrevious: () => Authentication,
): Authentication {
  // An instant that cannot be read is none.
  if (!(now < until)) return byCurrent;
  const byPrevious = checkPrevious();
  if (byCurrent.ok || !byPrevious.ok) return byCurrent;
  return { ...byPrevious, provedBy: "previous" };
}
