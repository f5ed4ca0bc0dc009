import { type ApiPromise, type PagePromise, Resource } from "../api.ts";
import type { CallOptions } from "../options.ts";
import { withIdempotencyKey } from "../send.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Outbound webhooks: URLs that events are posted to. Those of the settings belong to no factory, which is null. */
export class Outbound extends Resource {
  list(
    factory: string | null,
    query: QueryAt<"get", "/factories/{factory}/outbound"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Outbound"]> {
    if (factory === null) return this.api.list("/outbound", "outbound", { query }, options);
    return this.api.list("/factories/{factory}/outbound", "outbound", { path: { factory }, query }, options);
  }

  get(factory: string | null, name: string, options: CallOptions = {}): ApiPromise<Models["Outbound"]> {
    if (factory === null) return this.api.call("get", "/outbound/{name}", { path: { name } }, options);
    const given = { path: { factory, name } };
    return this.api.call("get", "/factories/{factory}/outbound/{name}", given, options);
  }

  /** Newest first. */
  deliveries(
    factory: string | null,
    name: string,
    query: QueryAt<"get", "/factories/{factory}/outbound/{name}/deliveries"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["OutboundDelivery"]> {
    if (factory === null) {
      const given = { path: { name }, query };
      return this.api.list("/outbound/{name}/deliveries", "deliveries", given, options);
    }
    const given = { path: { factory, name }, query };
    return this.api.list("/factories/{factory}/outbound/{name}/deliveries", "deliveries", given, options);
  }

  /** A delivery with its body. */
  delivery(
    factory: string | null,
    name: string,
    id: string,
    options: CallOptions = {},
  ): ApiPromise<Models["OutboundDeliveryWithBody"]> {
    if (factory === null)
      return this.api.call("get", "/outbound/{name}/deliveries/{id}", { path: { name, id } }, options);
    const given = { path: { factory, name, id } };
    return this.api.call("get", "/factories/{factory}/outbound/{name}/deliveries/{id}", given, options);
  }

  /** Sends a delivery again, with the same webhook-id and body. */
  redeliver(
    factory: string | null,
    name: string,
    id: string,
    options: CallOptions = {},
  ): ApiPromise<Models["OutboundDelivery"]> {
    if (factory === null) {
      const given = { path: { name, id } };
      return this.api.call("post", "/outbound/{name}/deliveries/{id}/redeliver", given, options);
    }
    const path = "/factories/{factory}/outbound/{name}/deliveries/{id}/redeliver";
    return this.api.call("post", path, { path: { factory, name, id } }, options);
  }

  /** Sends a test event. The state of the response is `sent` or `failed`. */
  test(
    factory: string | null,
    name: string,
    options: CallOptions = {},
  ): ApiPromise<Models["OutboundDelivery"]> {
    if (factory === null) return this.api.call("post", "/outbound/{name}/test", { path: { name } }, options);
    const given = { path: { factory, name } };
    return this.api.call("post", "/factories/{factory}/outbound/{name}/test", given, options);
  }

  /** Says whether an event would be sent now, and why. */
  explain(
    factory: string | null,
    name: string,
    body: Models["OutboundQuestion"],
    options: CallOptions = {},
  ): ApiPromise<Models["OutboundExplanation"]> {
    if (factory === null)
      return this.api.call("post", "/outbound/{name}/explain", { path: { name }, body }, options);
    const given = { path: { factory, name }, body };
    return this.api.call("post", "/factories/{factory}/outbound/{name}/explain", given, options);
  }

  /** Generates a new signing secret; those of the settings have theirs there. A retry has the same idempotency key, so the secret in a lost response is returned again. */
  rotateSecret(
    factory: string,
    name: string,
    options: CallOptions = {},
  ): ApiPromise<Models["OutboundSecret"]> {
    const given = { path: { factory, name } };
    const path = "/factories/{factory}/outbound/{name}/rotate-secret";
    return this.api.call("post", path, given, withIdempotencyKey(options));
  }
}

/** Notifications that were sent or wait to be sent, and the targets that they go to. */
export class Notifications extends Resource {
  /** Newest first. */
  list(
    query: QueryAt<"get", "/notifications"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Notification"]> {
    return this.api.list("/notifications", "notifications", { query }, options);
  }

  get(id: string, options: CallOptions = {}): ApiPromise<Models["Notification"]> {
    return this.api.call("get", "/notifications/{id}", { path: { id } }, options);
  }

  targets(
    query: QueryAt<"get", "/notification-targets"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["NotificationTarget"]> {
    return this.api.list("/notification-targets", "notification_targets", { query }, options);
  }

  /** Sends a test notification. The state of the response is `sent` or `failed`. */
  test(target: string, options: CallOptions = {}): ApiPromise<Models["Notification"]> {
    return this.api.call("post", "/notification-targets/{id}/test", { path: { id: target } }, options);
  }
}
