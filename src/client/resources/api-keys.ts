import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** API keys. */
export class ApiKeys {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query: QueryAt<"get", "/api-keys"> = {}, options: CallOptions = {}): PagePromise<Models["ApiKey"]> {
    return this.#api.list("/api-keys", "api_keys", { query }, options);
  }

  /** Creates a key, which is returned only this once. Not retried by default: a retry would create another key. */
  create(body: Models["NewApiKey"], options: CallOptions = {}): ApiPromise<Models["CreatedApiKey"]> {
    const maxRetries = options.maxRetries ?? 0;
    return this.#api.call("post", "/api-keys", { body }, { ...options, maxRetries });
  }

  revoke(id: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.#api.call("delete", "/api-keys/{id}", { path: { id } }, options);
  }
}
