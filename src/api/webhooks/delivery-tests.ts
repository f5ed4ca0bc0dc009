import { tryTriggers } from "../../definitions/filter-test.ts";
import { TREE_LIMITS } from "../../definitions/loading/load-file.ts";
import { writeFilterTest } from "../../definitions/write-filter-test.ts";
import { parseJson } from "../../edge/read-body.ts";
import { MillraceError } from "../../errors/error.ts";
import { type Delivery, whyNoPayload } from "../../ingress/delivery.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import { findFactory } from "../factories/factories.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { findDelivery } from "./deliveries.ts";
import type { DeliveryDeps } from "./delivery-view.ts";

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
