import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Who may use the API. */
export class ApiKeys {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query: QueryAt<"get", "/api-keys"> = {}, options: CallOptions = {}): PagePromise<Models["ApiKey"]> {
    return this.#api.list("/api-keys", "api_keys", { query }, options);
  }

  /** Makes a key, which is shown this once. It is not retried unless told: that would be another key. */
  create(body: Models["NewApiKey"], options: CallOptions = {}): ApiPromise<Models["CreatedApiKey"]> {
    const maxRetries = options.maxRetries ?? 0;
    return this.#api.call("post", "/api-keys", { body }, { ...options, maxRetries });
  }

  revoke(id: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.#api.call("delete", "/api-keys/{id}", { path: { id } }, options);
  }
}
