import type { Webhook } from "../../src/definitions/definition.ts";
import type { Authentication } from "../../src/ingress/arrival.ts";
import { compileCredential } from "../../src/ingress/credential.ts";
import { bodyOf } from "../../src/ingress/read-body.ts";

/** 2026-11-21, in seconds: the time of whoever signs and checks, unless a test says otherwise. */
export const NOW_SECONDS = 1_795_262_400;

export interface Sent {
  headers: Record<string, string | string[]>;
  body: string | Buffer;
  nowSeconds?: number;
}

/** A webhook that is let in by signatures of a scheme. */
export function signedWebhook(signatureScheme: string, changes: Partial<Webhook> = {}): Webhook {
  return {
    name: "hook",
    path: "webhooks/hook.yaml",
    authMode: "signature",
    signatureScheme,
    secretName: "HOOK_SECRET",
    enabled: true,
    ...changes,
  };
}

/** Whether a webhook with this secret would let a delivery in. */
export function check(webhook: Webhook, secret: string, sent: Sent): Authentication {
  const credential = compileCredential(webhook, secret);
  const headers = Object.fromEntries(
    Object.entries(sent.headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value : [value],
    ]),
  );
  const now = (sent.nowSeconds ?? NOW_SECONDS) * 1_000;
  return credential.check({ headers, urlToken: undefined, now }, bodyOf(Buffer.from(sent.body)));
}
