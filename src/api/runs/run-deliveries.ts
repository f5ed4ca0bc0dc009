import { DISPOSITION_KINDS, type RunDelivery } from "../../runs/rules/run-key.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { described, instant, record, text } from "../models/shapes.ts";
import { findRun } from "./find-run.ts";

/** The deliveries of a run. */
export const runDeliveryModels = {
  RunDeliveries: described(
    "The newest 2,000 deliveries that a run is about, in the order in which they came.",
    {
      deliveries: {
        type: "array",
        items: record({
          delivery_id: text,
          kind: {
            type: "string",
            enum: [...DISPOSITION_KINDS, "repeated"],
            description:
              "What the delivery did. repeated: it came to the run that this run repeats, and was given to this run too.",
          },
          key: { type: ["string", "null"], description: "The concurrency key of the delivery." },
          time: instant,
        }),
      },
    },
  ),
};

export interface RunDeliveryDeps {
  runs: Pick<RunStore, "find" | "findRunDelivery" | "listRunDeliveries">;
}

/** More than a run can join before it starts; those that continue it can be more. */
const MAX_LISTED = 2_000;

export function runDeliveryEndpoints({ runs }: RunDeliveryDeps) {
  return {
    listRunDeliveries: {
      async handle(request) {
        const { id, deliveryId, createdAt } = await findRun(request, { runs });
        const newest = deliveryId === null ? undefined : await runs.findRunDelivery(id, deliveryId);
        const after = Math.max(0, (newest?.position ?? 0) - MAX_LISTED);
        const listed = await runs.listRunDeliveries(id, { after, limit: MAX_LISTED });
        const only = { delivery_id: deliveryId ?? "", kind: "started", key: null, time: createdAt } as const;
        const deliveries = listed.length > 0 || deliveryId === null ? listed.map(deliveryOf) : [only];
        return { json: { deliveries } };
      },
    },
  } satisfies Endpoints;
}

function deliveryOf({ deliveryId, kind, key, at }: RunDelivery) {
  return { delivery_id: deliveryId, kind, key, time: at };
}
