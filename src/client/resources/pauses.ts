import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Pauses of the server, factories, webhooks or automations: their runs do not start. */
export class Pauses {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query: QueryAt<"get", "/pauses"> = {}, options: CallOptions = {}): PagePromise<Models["Pause"]> {
    return this.#api.list("/pauses", "pauses", { query }, options);
  }

  /** Pauses the whole server, or what the body names. Safe to repeat: the response is the active pause. */
  create(body: Models["NewPause"] = {}, options: CallOptions = {}): ApiPromise<Models["Pause"]> {
    return this.#api.call("post", "/pauses", { body }, options);
  }

  end(id: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.#api.call("delete", "/pauses/{id}", { path: { id } }, options);
  }
}
