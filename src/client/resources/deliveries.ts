import { type ApiPromise, type PagePromise, Resource } from "../api.ts";
import type { CallOptions } from "../options.ts";
import { withIdempotencyKey } from "../send.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

type Delivery = Models["Delivery"];

/** Deliveries that webhooks have received. */
export class Deliveries extends Resource {
  /** The deliveries of all webhooks, newest first. A page can be short, or empty, although more follow. */
  listAll(query: QueryAt<"get", "/deliveries"> = {}, options: CallOptions = {}): PagePromise<Delivery> {
    return this.api.list("/deliveries", "deliveries", { query }, options);
  }

  /** The deliveries of one webhook, newest first. */
  list(
    factory: string,
    webhookUid: string,
    query: QueryAt<"get", "/factories/{factory}/webhooks/{uid}/deliveries"> = {},
    options: CallOptions = {},
  ): PagePromise<Delivery> {
    const given = { path: { factory, uid: webhookUid }, query };
    return this.api.list("/factories/{factory}/webhooks/{uid}/deliveries", "deliveries", given, options);
  }

  get(factory: string, deliveryId: string, options: CallOptions = {}): ApiPromise<Delivery> {
    const path = { factory, delivery_id: deliveryId };
    return this.api.call("get", "/factories/{factory}/deliveries/{delivery_id}", { path }, options);
  }

  /** The body as received, byte for byte. */
  payload(factory: string, deliveryId: string, options: CallOptions = {}): ApiPromise<Uint8Array> {
    const path = { factory, delivery_id: deliveryId };
    return this.api.bytes("/factories/{factory}/deliveries/{delivery_id}/payload", { path }, options);
  }

  /** The file of a test that sends the delivery to an automation. Nothing is written. */
  makeTest(
    factory: string,
    deliveryId: string,
    query: QueryAt<"get", "/factories/{factory}/deliveries/{delivery_id}/test">,
    options: CallOptions = {},
  ): ApiPromise<Models["DeliveryTest"]> {
    const given = { path: { factory, delivery_id: deliveryId }, query };
    return this.api.call("get", "/factories/{factory}/deliveries/{delivery_id}/test", given, options);
  }

  /** Deletes the body of a delivery whose runs have ended. */
  deletePayload(factory: string, deliveryId: string, options: CallOptions = {}): ApiPromise<undefined> {
    const path = { factory, delivery_id: deliveryId };
    return this.api.call(
      "delete",
      "/factories/{factory}/deliveries/{delivery_id}/payload",
      { path },
      options,
    );
  }

  /** Deletes the deliveries of one webhook, except those whose runs have not ended. */
  deleteAll(
    factory: string,
    webhookUid: string,
    options: CallOptions = {},
  ): ApiPromise<Models["DeletedDeliveries"]> {
    const path = { factory, uid: webhookUid };
    return this.api.call("delete", "/factories/{factory}/webhooks/{uid}/deliveries", { path }, options);
  }

  /** Why each automation did or did not start a run. */
  explain(
    factory: string,
    deliveryId: string,
    options: CallOptions = {},
  ): ApiPromise<Models["DeliveryExplanation"]> {
    const path = { factory, delivery_id: deliveryId };
    return this.api.call("get", "/factories/{factory}/deliveries/{delivery_id}/explain", { path }, options);
  }

  /** Redelivers an accepted delivery. A retry has the same idempotency key, so it does not redeliver it twice. */
  redeliver(factory: string, deliveryId: string, options: CallOptions = {}): ApiPromise<Delivery> {
    const path = { factory, delivery_id: deliveryId };
    return this.api.call(
      "post",
      "/factories/{factory}/deliveries/{delivery_id}/redeliver",
      { path },
      withIdempotencyKey(options),
    );
  }
}
