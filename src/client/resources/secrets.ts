import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Values that definitions name and nobody can read again. */
export class Secrets {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query: QueryAt<"get", "/secrets"> = {}, options: CallOptions = {}): PagePromise<Models["Secret"]> {
    return this.#api.list("/secrets", "secrets", { query }, options);
  }

  /** @param given the value alone, or with who may use the secret; or only that, of a secret that is there */
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
