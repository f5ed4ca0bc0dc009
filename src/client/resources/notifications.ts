import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Notifications that were sent or wait to be sent, and the targets that they go to. */
export class Notifications {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Newest first. */
  list(
    query: QueryAt<"get", "/notifications"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Notification"]> {
    return this.#api.list("/notifications", "notifications", { query }, options);
  }

  get(id: string, options: CallOptions = {}): ApiPromise<Models["Notification"]> {
    return this.#api.call("get", "/notifications/{id}", { path: { id } }, options);
  }

  targets(
    query: QueryAt<"get", "/notification-targets"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["NotificationTarget"]> {
    return this.#api.list("/notification-targets", "notification_targets", { query }, options);
  }

  /** Sends a test notification. The state of the response is `sent` or `failed`. */
  test(target: string, options: CallOptions = {}): ApiPromise<Models["Notification"]> {
    return this.#api.call("post", "/notification-targets/{id}/test", { path: { id: target } }, options);
  }
}
