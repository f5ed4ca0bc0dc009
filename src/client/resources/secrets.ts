import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Write-only values that definitions refer to by name. */
export class Secrets {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query: QueryAt<"get", "/secrets"> = {}, options: CallOptions = {}): PagePromise<Models["Secret"]> {
    return this.#api.list("/secrets", "secrets", { query }, options);
  }

  /** @param given the value, the factories that may use the secret, or both; without a value, the secret must exist */
  set(
    name: string,
    given: string | Models["SecretValue"],
    options: CallOptions = {},
  ): ApiPromise<Models["Secret"]> {
    const body = typeof given === "string" ? { value: given } : given;
    return this.#api.call("put", "/secrets/{name}", { path: { name }, body }, options);
  }

  delete(name: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.#api.call("delete", "/secrets/{name}", { path: { name } }, options);
  }
}
