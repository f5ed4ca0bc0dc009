import { createHmac } from "node:crypto";
import type { Webhook } from "../../src/definitions/definition.ts";
import { bodyOf } from "../../src/edge/read-body.ts";
import type { Authentication } from "../../src/ingress/arrival.ts";
import { compileCredential } from "../../src/ingress/credential.ts";

/** 2026-11-21, in seconds: the time of whoever signs and checks, unless a test says otherwise. */
export const NOW_SECONDS = 1_795_262_400;

/** A secret of the form of Standard Webhooks; other schemes take it as the text that it is. */
export const SIGNING_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** A body whose bytes are others once it has been parsed and written again. */
export const BODY_TO_SIGN = '{"id":"evt_1","text":"naïve – ünïcode","number":1.0}';

/** The digest that most schemes sign with. */
export function hmacOf(text: string, secret = SIGNING_SECRET): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

/** Posts a body with these headers, and with no credential but theirs. */
export function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "POST", body, headers });
}

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

/** Deliveries as GitLab, Linear, Jira and Slack document them, cut down to what triggers look at. */

export const gitlabNote = (note: string, username = "ann", attributes: object = {}) => ({
  object_kind: "note",
  user: { username },
  project: { path_with_namespace: "acme/shop" },
  object_attributes: { note, system: false, ...attributes },
});

export const linear = (type: string, action: string, data: object = {}, updatedFrom?: object) => ({
  type,
  action,
  data: { id: "i1", ...data },
  ...(updatedFrom ? { updatedFrom } : {}),
  webhookTimestamp: Date.now(),
});

/** An issue of the project SHOP in which one field has changed. */
export const jiraUpdate = (field: string, before: string, after: string) => ({
  webhookEvent: "jira:issue_updated",
  issue: {
    key: "SHOP-1",
    fields: { project: { key: "SHOP" }, labels: ["old"], status: { id: "3", name: "Done" } },
  },
  changelog: { items: [{ field, fromString: before, toString: after }] },
});

export const slack = (event: object) => ({ type: "event_callback", event_id: `Ev${Math.random()}`, event });
