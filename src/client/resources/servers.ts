import type { Api } from "../api.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** The servers that share a store. */
export class Servers {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query: QueryAt<"get", "/servers"> = {}, options: CallOptions = {}): PagePromise<Models["Server"]> {
    return this.#api.list("/servers", "servers", { query }, options);
  }
}
