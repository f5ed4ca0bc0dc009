import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import { withIdempotencyKey } from "../idempotency-key.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Workers: who may connect from other machines to execute runs. */
export class Workers {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query: QueryAt<"get", "/workers"> = {}, options: CallOptions = {}): PagePromise<Models["Worker"]> {
    return this.#api.list("/workers", "workers", { query }, options);
  }

  get(id: string, options: CallOptions = {}): ApiPromise<Models["Worker"]> {
    return this.#api.call("get", "/workers/{id}", { path: { id } }, options);
  }

  /** Creates a worker. A retry has the same idempotency key, so it returns the same token instead of creating another worker. */
  create(body: Models["NewWorker"], options: CallOptions = {}): ApiPromise<Models["CreatedWorker"]> {
    return this.#api.call("post", "/workers", { body }, withIdempotencyKey(options));
  }

  /** Deletes a worker and revokes its token immediately. */
  revoke(id: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.#api.call("delete", "/workers/{id}", { path: { id } }, options);
  }

  /** A draining worker finishes its turns and gets no new ones. */
  drain(id: string, options: CallOptions = {}): ApiPromise<Models["Worker"]> {
    return this.#api.call("post", "/workers/{id}/drain", { path: { id } }, options);
  }

  endDrain(id: string, options: CallOptions = {}): ApiPromise<Models["Worker"]> {
    return this.#api.call("delete", "/workers/{id}/drain", { path: { id } }, options);
  }

  /** The names under which processes are connected. */
  connected(options: CallOptions = {}): ApiPromise<Models["ConnectedWorkerList"]> {
    return this.#api.call("get", "/agent/connected-self-hosted-workers", {}, options);
  }
}
