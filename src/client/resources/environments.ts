import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import { ifMatch } from "../if-match.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Environments of runs: image, repositories and setup commands. */
export class Environments {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(
    query: QueryAt<"get", "/agent/environments"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["CloudEnvironment"]> {
    return this.#api.list("/agent/environments", "environments", { query }, options);
  }

  /** Not retried: a retry would create another one, or fail because the name is taken. */
  create(
    body: Models["CloudEnvironmentConfig"],
    options: CallOptions = {},
  ): ApiPromise<Models["CloudEnvironment"]> {
    return this.#api.call("post", "/agent/environments", { body }, { maxRetries: 0, ...options });
  }

  get(uid: string, options: CallOptions = {}): ApiPromise<Models["CloudEnvironment"]> {
    return this.#api.call("get", "/agent/environments/{uid}", { path: { uid } }, options);
  }

  /** Replaces the whole configuration. */
  update(
    uid: string,
    body: Models["CloudEnvironmentConfig"],
    options: CallOptions = {},
    etag?: string,
  ): ApiPromise<Models["CloudEnvironment"]> {
    return this.#api.call(
      "put",
      "/agent/environments/{uid}",
      { path: { uid }, body },
      ifMatch(etag, options),
    );
  }

  delete(uid: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.#api.call("delete", "/agent/environments/{uid}", { path: { uid } }, options);
  }
}
