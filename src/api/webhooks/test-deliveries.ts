import { createHash } from "node:crypto";
import type { Models } from "../../client/typed-paths.ts";
import type { Webhook } from "../../definitions/definition.ts";
import { tryTriggers } from "../../definitions/filter-test.ts";
import { TREE_LIMITS } from "../../definitions/loading/load-file.ts";
import { schemeOf } from "../../definitions/schemes/schemes.ts";
import { writeFilterTest } from "../../definitions/write-filter-test.ts";
import { parseJson } from "../../edge/read-body.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import { INGRESS_PREFIX } from "../../ingress/arrival.ts";
import { type Delivery, whyNoPayload } from "../../ingress/delivery.ts";
import type { Gate } from "../../ingress/gate.ts";
import { signDelivery, testPayload } from "../../ingress/test-delivery.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { type IdempotencyKey, refuseOtherRequest } from "../../runs/idempotency.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { findFactory } from "../factories/factories.ts";
import { type Endpoints, keyOf, readIdempotencyKey } from "../http/endpoint.ts";
import { type DeliveryDeps, findDelivery } from "./deliveries.ts";
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

/** Turns stored deliveries into tests of automations, as text: nothing is written. */
export function deliveryTestEndpoints(deps: Pick<DeliveryDeps, "deliveries" | "factories">) {
  const { deliveries, factories } = deps;
  return {
    makeDeliveryTest: {
      async handle(request) {
        const { record, active } = findFactory(request, factories);
        const { automation, name = "delivery" } = request.query;
        const delivery = await findDelivery(request, deps);
        const found = active?.definition.automations.find((each) => each.name === automation);
        if (!active || !found) throw noSuchAutomation(automation, record.name);
        const payload = await deliveries.findPayload(delivery.id);
        if (!payload) throw withoutPayload(delivery);
        const tested = { ...describe(delivery, active), payload: parseJson(payload)?.value };
        const fires = tryTriggers(found.triggers, tested).some((trial) => trial.fires);
        const { webhook, event } = tested;
        const content = writeFilterTest({
          description: `A delivery of ${delivery.time.slice(0, 10)} ${fires ? "starts" : "does not start"} a run.`,
          webhook,
          event,
          fires,
          payload: Buffer.from(payload).toString("utf8"),
        });
        if (content === undefined) throw tooLarge(delivery);
        return { json: { path: `automations/${automation}/tests/${name}.yaml`, content, fires } };
      },
    },
  } satisfies Endpoints;
}

/** What a test says beside the body. Of all headers that is the event of GitHub, without which its triggers do not fire. */
function describe(
  { webhookUid, event }: Delivery,
  { webhooks }: ActiveDefinition,
): { webhook?: string; event?: string } {
  const webhook = webhooks.find(({ uid }) => uid === webhookUid)?.webhook;
  const isGithub = webhook?.signatureScheme === "github";
  return {
    ...(webhook ? { webhook: webhook.name } : {}),
    ...(isGithub && event !== null && /^[a-z_]{1,100}$/.test(event) ? { event } : {}),
  };
}

function noSuchAutomation(automation: string, factory: string): MillraceError {
  return new MillraceError(
    "resource_not_found",
    `The factory "${factory}" has no automation "${automation}".`,
    { remedy: "`millrace automations list` shows the automations." },
  );
}

function withoutPayload(delivery: Delivery): MillraceError {
  return new MillraceError(
    "conflict",
    `The delivery ${delivery.id} has no stored body: ${whyNoPayload(delivery)}.`,
    { remedy: "Choose an accepted delivery whose payload is still stored.", retryable: false },
  );
}

function tooLarge({ id, size }: Delivery): MillraceError {
  const kilobytes = TREE_LIMITS.fileBytes / 1024;
  return new MillraceError(
    "conflict",
    `The body of the delivery ${id} has ${size} bytes, and its test would be larger than ${kilobytes} KB, the limit for a file of a definition.`,
    {
      remedy:
        "Get the body with `GET …/payload`, keep the fields that the filter needs, and write the test by hand.",
      retryable: false,
    },
  );
}
