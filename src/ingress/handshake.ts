import { createHmac } from "node:crypto";
import { compileFilter } from "../definitions/filters/compile-filter.ts";
import type { Handshake } from "../definitions/schemes/scheme.ts";
import type { RequestBody } from "../edge/read-body.ts";
import { type Authentication, fieldOf } from "./arrival.ts";

/** The answer to a payload that only asks, signed, whether somebody listens at this address; nothing for a delivery. */
export type AnswerHandshake = (payload: unknown) => { answer: object } | { refused: string } | undefined;

/**
 * What is signed for a sender. It has none of the brackets that each delivery of such a scheme has, so the answer is
 * never the signature of a delivery.
 */
const TOKEN = /^[A-Za-z0-9_.~+/=-]{1,512}$/;

/**
 * Prepares the answers of a scheme. A body that lacks what the answer is made of is a delivery.
 * @param algorithm the hash function of the scheme's signatures
 */
export function compileHandshake(
  { when, answer }: Handshake,
  algorithm: string,
  key: Uint8Array,
): AnswerHandshake {
  const { matches } = compileFilter(when);
  const parts = Object.entries(answer);
  return (payload) => {
    if (!matches(payload)) return undefined;
    const fields: [string, string][] = [];
    for (const [name, part] of parts) {
      const path = "hmac" in part ? part.hmac.body : part.body;
      const text = fieldOf(payload, path);
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
export function signsForSenders({ answer }: Handshake): boolean {
  return Object.values(answer).some((part) => "hmac" in part);
}

/** Of a scheme that signs tokens for senders, a body that might be a token itself proves nothing. */
export function refuseTokens(proved: Authentication, body: RequestBody): Authentication {
  const json = proved.ok ? body.json() : undefined;
  // What is not JSON is refused as such, right after this.
  if (!json || (typeof json.value === "object" && json.value !== null)) return proved;
  return { ok: false, reason: "the body is not a JSON object or list, and the handshake signs other texts" };
}
