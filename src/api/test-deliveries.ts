import type { Webhook } from "../definitions/definition.ts";
import { schemeOf } from "../definitions/schemes.ts";
import { MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import type { Gate } from "../ingress/gate.ts";
import { INGRESS_PREFIX } from "../ingress/locate.ts";
import { signDelivery } from "../ingress/sign.ts";
import { testPayload } from "../ingress/test-payload.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import type { Endpoints } from "./endpoint.ts";
import { findFactory } from "./factories.ts";
import { findWebhook } from "./webhooks.ts";

export interface TestDeliveryParts {
  gate: Pick<Gate, "sendOwn">;
  factories: Factories;
  /** Where this very server listens: test deliveries go there and nowhere else. */
  ownUrl: () => string;
  now: () => Date;
}

const TIMEOUT_MS = 15_000;

export function testDeliveryEndpoints({ factories, gate, ownUrl, now }: TestDeliveryParts): Endpoints {
  return {
    sendTestDelivery: {
      role: "operator",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { uid, name } = findWebhook(request, factory);
        const { webhook, secret } = readyWebhook(factory, uid, name);
        const id = newUuid();
        const time = now();
        const { text, event, body: json = testPayload(webhook, secret, id, time) } = request.body ?? {};
        const body = Buffer.from(text ?? JSON.stringify(json));
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
        const told = (await answer.json()) as { delivery_id?: string };
        return { json: { status: answer.status, delivery_id: told.delivery_id ?? null, answer: told } };
      },
    },
  };
}

/** @throws MillraceError `invalid_request` for a webhook whose sender names no events */
function eventHeaders(webhook: Webhook, event: string | undefined): Record<string, string> {
  if (event === undefined) return {};
  const header = webhook.authMode === "signature" ? schemeOf(webhook)?.eventHeader : undefined;
  if (header !== undefined) return { [header]: event };
  throw new MillraceError(
    "invalid_request",
    `event: deliveries to "${webhook.name}" name no event in a header.`,
    {
      remedy: "Leave it out; only webhooks of the scheme github have one.",
      extra: { field: "event" },
    },
  );
}

function readyWebhook({ served }: Factory, uid: string, name: string) {
  const found = served?.webhooks.find((webhook) => webhook.uid === uid);
  if (found?.credential !== undefined && found.webhook.enabled) {
    return { webhook: found.webhook, secret: found.credential };
  }
  throw new MillraceError(
    "conflict",
    `The webhook "${name}" takes no deliveries: it is deleted, disabled or without a secret.`,
    {
      remedy: "`millrace webhooks show` says which.",
      retryable: false,
    },
  );
}
