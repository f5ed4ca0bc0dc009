import { createHash } from "node:crypto";
import type { Models } from "../../client/typed-paths.ts";
import type { Webhook } from "../../definitions/definition.ts";
import { schemeOf } from "../../definitions/schemes/schemes.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import { INGRESS_PREFIX } from "../../ingress/arrival.ts";
import type { Gate } from "../../ingress/gate.ts";
import { signDelivery, testPayload } from "../../ingress/test-delivery.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { IdempotencyKey } from "../../runs/idempotency.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { findFactory } from "../factories/factories.ts";
import { type Endpoints, keyOf } from "../http/endpoint.ts";
import { readIdempotencyKey, refuseOtherRequest } from "../http/idempotency.ts";
import { findWebhook } from "./webhooks.ts";

export interface TestDeliveryDeps {
  gate: Pick<Gate, "sendOwn">;
  factories: Factories;
  runs: Pick<RunStore, "findAnswer" | "keepAnswer">;
  /** Where this very server listens: test deliveries go there and nowhere else. */
  ownUrl: () => string;
  now: () => Date;
}

const TIMEOUT_MS = 15_000;

export function testDeliveryEndpoints({ factories, gate, runs, ownUrl, now }: TestDeliveryDeps) {
  return {
    sendTestDelivery: {
      async handle(request) {
        const once = readIdempotencyKey(
          request.http.request,
          keyOf(request).principal.uid,
          request.body ?? {},
        );
        const before = once && (await runs.findAnswer(once));
        if (before) {
          if ("differs" in before) return refuseOtherRequest();
          return { json: JSON.parse(before.answer) as Models["TestDelivery"] };
        }
        const factory = findFactory(request, factories);
        const { uid, name } = findWebhook(request, factory);
        const { webhook, secret } = readyWebhook(factory, uid, name);
        // What the server could not remember, the webhook does: it takes a delivery with the same ID for a duplicate.
        const id = once ? idUnder(once) : newUuid();
        const time = now();
        const { text, event, body: asked = testPayload(webhook, secret, id, time) } = request.body ?? {};
        const body = Buffer.from(text ?? JSON.stringify(asked));
        const { pathSuffix, headers } = signDelivery({ webhook, secret, body, id, now: time });
        const written = { ...headers, ...eventHeaders(webhook, event), "content-type": "application/json" };
        const answer = await gate.sendOwn((own) =>
          fetch(`${ownUrl()}${INGRESS_PREFIX}${uid}${pathSuffix}`, {
            method: "POST",
            headers: { ...written, ...own },
            body,
            signal: AbortSignal.timeout(TIMEOUT_MS),
          }),
        );
        const received = (await answer.json()) as { delivery_id?: string };
        const json = {
          status: answer.status,
          delivery_id: received.delivery_id ?? null,
          answer: received,
        };
        if (once && answer.ok) await runs.keepAnswer(once, JSON.stringify(json), time.toISOString());
        return { json };
      },
    },
  } satisfies Endpoints;
}

/** The same ID for all attempts of one request. */
function idUnder({ principalUid, key, requestHash }: IdempotencyKey): string {
  const hex = createHash("sha256").update(`${principalUid}\n${key}\n${requestHash}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** @throws MillraceError `invalid_request` for a webhook whose sender names no events */
function eventHeaders(webhook: Webhook, event: string | undefined): Record<string, string> {
  if (event === undefined) return {};
  const header = webhook.authMode === "signature" ? schemeOf(webhook)?.eventHeader : undefined;
  if (header !== undefined) return { [header]: event };
  throw new MillraceError("invalid_request", `event: deliveries to "${webhook.name}" have no event header.`, {
    remedy: "Omit it; only webhooks with the scheme github have an event header.",
    extra: { field: "event" },
  });
}

function readyWebhook({ active }: Factory, uid: string, name: string) {
  const found = active?.webhooks.find((webhook) => webhook.uid === uid);
  if (found?.credential !== undefined && found.webhook.enabled) {
    return { webhook: found.webhook, secret: found.credential };
  }
  throw new MillraceError(
    "conflict",
    `The webhook "${name}" does not accept deliveries: it was deleted, is disabled or has no secret.`,
    {
      remedy: "`millrace webhooks show` shows its status.",
      retryable: false,
    },
  );
}
