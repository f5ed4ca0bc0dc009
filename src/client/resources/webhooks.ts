import { type ApiPromise, ifMatch, type PagePromise, Resource } from "../api.ts";
import type { CallOptions } from "../options.ts";
import { withIdempotencyKey } from "../send.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Webhooks: addresses that external systems post to. */
export class Webhooks extends Resource {
  list(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/webhooks"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Webhook"]> {
    return this.api.list("/factories/{factory}/webhooks", "webhooks", { path: { factory }, query }, options);
  }

  get(factory: string, uid: string, options: CallOptions = {}): ApiPromise<Models["Webhook"]> {
    return this.api.call("get", "/factories/{factory}/webhooks/{uid}", { path: { factory, uid } }, options);
  }

  /** Count the deliveries of a webhook in the log. */
  traffic(factory: string, uid: string, options: CallOptions = {}): ApiPromise<Models["WebhookTraffic"]> {
    const given = { path: { factory, uid } };
    return this.api.call("get", "/factories/{factory}/webhooks/{uid}/traffic", given, options);
  }

  /** Suggest a name for the secret of a new webhook. */
  suggestSecretName(
    factory: string,
    webhook: string,
    options: CallOptions = {},
  ): ApiPromise<Models["SuggestedSecretName"]> {
    const given = { path: { factory }, query: { webhook } };
    return this.api.call("get", "/factories/{factory}/suggested-secret-name", given, options);
  }

  /** Creates a webhook. A retry has the same idempotency key, so the secret in a lost response is returned again. */
  create(
    factory: string,
    body: Models["NewWebhook"],
    options: CallOptions = {},
  ): ApiPromise<Models["CreatedWebhook"]> {
    const given = { path: { factory }, body };
    return this.api.call("post", "/factories/{factory}/webhooks", given, withIdempotencyKey(options));
  }

  /** Changes a webhook if its ETag matches, or with `*`. */
  update(
    factory: string,
    uid: string,
    body: Models["WebhookChange"],
    etag: string,
    options: CallOptions = {},
  ): ApiPromise<Models["Webhook"]> {
    const given = { path: { factory, uid }, body };
    return this.api.call("patch", "/factories/{factory}/webhooks/{uid}", given, ifMatch(etag, options));
  }

  /** Stop accepting the previous secret of a webhook. */
  endOverlap(factory: string, uid: string, options: CallOptions = {}): ApiPromise<Models["Webhook"]> {
    const given = { path: { factory, uid } };
    return this.api.call("post", "/factories/{factory}/webhooks/{uid}/end-overlap", given, options);
  }

  /** Replaces the secret of a webhook. A retry has the same idempotency key, so it does not generate another secret. */
  rotateSecret(
    factory: string,
    uid: string,
    body: Models["SecretRotation"] = {},
    options: CallOptions = {},
  ): ApiPromise<Models["RotatedWebhook"]> {
    const given = { path: { factory, uid }, body };
    return this.api.call(
      "post",
      "/factories/{factory}/webhooks/{uid}/rotate-secret",
      given,
      withIdempotencyKey(options),
    );
  }

  /** Deletes a webhook if its ETag matches, or with `*`. */
  delete(factory: string, uid: string, etag: string, options: CallOptions = {}): ApiPromise<undefined> {
    const given = { path: { factory, uid } };
    return this.api.call("delete", "/factories/{factory}/webhooks/{uid}", given, ifMatch(etag, options));
  }

  /** Restores a webhook's previous UID after the database was lost. */
  adopt(
    factory: string,
    uid: string,
    formerUid: string,
    options: CallOptions = {},
  ): ApiPromise<Models["Webhook"]> {
    const given = { path: { factory, uid }, body: { uid: formerUid } };
    return this.api.call("post", "/factories/{factory}/webhooks/{uid}/adopt", given, options);
  }

  /** Sends a test delivery, signed by the server. A retry has the same idempotency key, so it sends nothing twice. */
  sendTestDelivery(
    factory: string,
    uid: string,
    body: Models["TestDeliveryRequest"] = {},
    options: CallOptions = {},
  ): ApiPromise<Models["TestDelivery"]> {
    const given = { path: { factory, uid }, body };
    return this.api.call(
      "post",
      "/factories/{factory}/webhooks/{uid}/test-deliveries",
      given,
      withIdempotencyKey(options),
    );
  }
}
