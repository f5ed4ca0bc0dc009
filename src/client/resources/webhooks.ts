import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** The addresses that outside systems post to. */
export class Webhooks {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/webhooks"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Webhook"]> {
    return this.#api.list("/factories/{factory}/webhooks", "webhooks", { path: { factory }, query }, options);
  }

  get(factory: string, uid: string, options: CallOptions = {}): ApiPromise<Models["Webhook"]> {
    return this.#api.call("get", "/factories/{factory}/webhooks/{uid}", { path: { factory, uid } }, options);
  }

  /** Gives a webhook the uid back that it had in a store which is lost. */
  adopt(
    factory: string,
    uid: string,
    formerUid: string,
    options: CallOptions = {},
  ): ApiPromise<Models["Webhook"]> {
    const given = { path: { factory, uid }, body: { uid: formerUid } };
    return this.#api.call("post", "/factories/{factory}/webhooks/{uid}/adopt", given, options);
  }

  /** Has the server sign a delivery and post it. It is not retried unless told: it would be another delivery. */
  sendTestDelivery(
    factory: string,
    uid: string,
    body: Models["TestDeliveryRequest"] = {},
    options: CallOptions = {},
  ): ApiPromise<Models["TestDelivery"]> {
    const given = { path: { factory, uid }, body };
    return this.#api.call("post", "/factories/{factory}/webhooks/{uid}/test-deliveries", given, {
      ...options,
      maxRetries: options.maxRetries ?? 0,
    });
  }
}
