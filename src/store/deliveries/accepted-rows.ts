import type { ChangeRecord } from "../../changes/log.ts";
import type { AcceptableDelivery, Delivery, Sender } from "../../ingress/delivery.ts";
import { changeRow } from "../changes/change-store.ts";
import { type NewRow, tableOf } from "../new-row.ts";
import { pullRequestEventRow } from "../pull-requests/pull-request-store.ts";
import { runRows } from "../runs/run-row.ts";

const DELIVERIES = tableOf("deliveries", {
  owner: "delivery_id",
  columns: `
    delivery_id, factory_uid, webhook_uid, outcome, size, time, identity_source, identity_value, payload,
    redelivery_of, event, sender, proved_by`,
});

/** The rows of an accepted delivery and of the runs that it starts, which belong to no task. */
export function acceptedRows(delivery: AcceptableDelivery): NewRow[] {
  const { id, payload, time, runs } = delivery;
  const starting = { id, size: payload.length };
  return [
    ...deliveryRows(delivery),
    ...runs.flatMap((run) => runRows(run, { delivery: starting, taskUid: null, at: time })),
  ];
}

/** The row of an accepted delivery, and what streams tell of it. */
export function deliveryRows(delivery: AcceptableDelivery): NewRow[] {
  const values = [
    delivery.id,
    delivery.factoryUid,
    delivery.webhookUid,
    "Accepted",
    delivery.payload.length,
    delivery.time,
    delivery.identity.source,
    delivery.identity.value,
    delivery.payload,
    delivery.redeliveryOf,
    delivery.event,
    writtenSender(delivery.sender),
    delivery.provedBy,
  ];
  const { pullRequestEvent: told } = delivery;
  return [
    { table: DELIVERIES, values },
    changeRow(deliveryChange(delivery, "Accepted")),
    ...(told ? [pullRequestEventRow(delivery, told)] : []),
  ];
}

export function deliveryChange(
  { id, factoryUid, webhookUid, time }: Pick<Delivery, "id" | "factoryUid" | "webhookUid" | "time">,
  outcome: Delivery["outcome"],
): Omit<ChangeRecord, "seq"> {
  return { kind: "delivery", subject: id, factoryUid, webhookUid, status: outcome, at: time };
}

export function writtenSender(sender: Sender | null): string | null {
  return sender && JSON.stringify(sender);
}
