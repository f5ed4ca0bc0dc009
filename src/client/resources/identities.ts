import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import { ifMatch } from "../if-match.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Agents that runs can execute as: agents of definitions, and agents created through the API. */
export class Identities {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(
    query: QueryAt<"get", "/agent/identities"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["AgentResponse"]> {
    return this.#api.list("/agent/identities", "agents", { query }, options);
  }

  /** Not retried: a retry would create another one, or fail because the name is taken. */
  create(body: Models["CreateAgentRequest"], options: CallOptions = {}): ApiPromise<Models["AgentResponse"]> {
    return this.#api.call("post", "/agent/identities", { body }, { maxRetries: 0, ...options });
  }

  get(uid: string, options: CallOptions = {}): ApiPromise<Models["AgentResponse"]> {
    return this.#api.call("get", "/agent/identities/{uid}", { path: { uid } }, options);
  }

  /** Omitted fields are not changed; empty ones are cleared. */
  update(
    uid: string,
    body: Models["UpdateAgentRequest"],
    options: CallOptions = {},
    etag?: string,
  ): ApiPromise<Models["AgentResponse"]> {
    return this.#api.call("put", "/agent/identities/{uid}", { path: { uid }, body }, ifMatch(etag, options));
  }

  delete(uid: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.#api.call("delete", "/agent/identities/{uid}", { path: { uid } }, options);
  }
}
