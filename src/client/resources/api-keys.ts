import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import { withIdempotencyKey } from "../idempotency-key.ts";
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

  /** Creates a key. A retry has the same idempotency key, so it returns the same key instead of creating another. */
  create(body: Models["NewApiKey"], options: CallOptions = {}): ApiPromise<Models["CreatedApiKey"]> {
    return this.#api.call("post", "/api-keys", { body }, withIdempotencyKey(options));
  }

  /** Replaces the key that signs the identity tokens of runs. */
  replaceIdentityKey(
    body: Models["IdentityKeyChange"] = {},
    options: CallOptions = {},
  ): ApiPromise<Models["IdentityKey"]> {
    return this.#api.call("post", "/identity-keys", { body }, options);
  }

  revoke(id: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.#api.call("delete", "/api-keys/{id}", { path: { id } }, options);
  }
}
