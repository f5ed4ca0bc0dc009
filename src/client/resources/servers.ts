import { type ApiPromise, type PagePromise, Resource } from "../api.ts";
import type { CallOptions } from "../options.ts";
import { withIdempotencyKey } from "../send.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** The servers that share a store. */
export class Servers extends Resource {
  list(query: QueryAt<"get", "/servers"> = {}, options: CallOptions = {}): PagePromise<Models["Server"]> {
    return this.api.list("/servers", "servers", { query }, options);
  }
}

/** API keys. */
export class ApiKeys extends Resource {
  list(query: QueryAt<"get", "/api-keys"> = {}, options: CallOptions = {}): PagePromise<Models["ApiKey"]> {
    return this.api.list("/api-keys", "api_keys", { query }, options);
  }

  /** Creates a key. A retry has the same idempotency key, so it returns the same key instead of creating another. */
  create(body: Models["NewApiKey"], options: CallOptions = {}): ApiPromise<Models["CreatedApiKey"]> {
    return this.api.call("post", "/api-keys", { body }, withIdempotencyKey(options));
  }

  /** Replaces the key that signs the identity tokens of runs. */
  replaceIdentityKey(
    body: Models["IdentityKeyChange"] = {},
    options: CallOptions = {},
  ): ApiPromise<Models["IdentityKey"]> {
    return this.api.call("post", "/identity-keys", { body }, options);
  }

  revoke(id: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.api.call("delete", "/api-keys/{id}", { path: { id } }, options);
  }
}

/** Write-only values that definitions refer to by name. */
export class Secrets extends Resource {
  list(query: QueryAt<"get", "/secrets"> = {}, options: CallOptions = {}): PagePromise<Models["Secret"]> {
    return this.api.list("/secrets", "secrets", { query }, options);
  }

  /** @param given the value, the factories that may use the secret, or both; without a value, the secret must exist */
  set(
    name: string,
    given: string | Models["SecretValue"],
    options: CallOptions = {},
  ): ApiPromise<Models["Secret"]> {
    const body = typeof given === "string" ? { value: given } : given;
    return this.api.call("put", "/secrets/{name}", { path: { name }, body }, options);
  }

  delete(name: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.api.call("delete", "/secrets/{name}", { path: { name } }, options);
  }
}

/** Workers: who may connect from other machines to execute runs. */
export class Workers extends Resource {
  list(query: QueryAt<"get", "/workers"> = {}, options: CallOptions = {}): PagePromise<Models["Worker"]> {
    return this.api.list("/workers", "workers", { query }, options);
  }

  get(id: string, options: CallOptions = {}): ApiPromise<Models["Worker"]> {
    return this.api.call("get", "/workers/{id}", { path: { id } }, options);
  }

  /** Creates a worker. A retry has the same idempotency key, so it returns the same token instead of creating another worker. */
  create(body: Models["NewWorker"], options: CallOptions = {}): ApiPromise<Models["CreatedWorker"]> {
    return this.api.call("post", "/workers", { body }, withIdempotencyKey(options));
  }

  /** Deletes a worker and revokes its token immediately. */
  revoke(id: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.api.call("delete", "/workers/{id}", { path: { id } }, options);
  }

  /** A draining worker finishes its turns and gets no new ones. */
  drain(id: string, options: CallOptions = {}): ApiPromise<Models["Worker"]> {
    return this.api.call("post", "/workers/{id}/drain", { path: { id } }, options);
  }

  endDrain(id: string, options: CallOptions = {}): ApiPromise<Models["Worker"]> {
    return this.api.call("delete", "/workers/{id}/drain", { path: { id } }, options);
  }

  /** The names under which processes are connected. */
  connected(options: CallOptions = {}): ApiPromise<Models["ConnectedWorkerList"]> {
    return this.api.call("get", "/agent/connected-self-hosted-workers", {}, options);
  }
}

/** Pauses of the server, factories, webhooks or automations: their runs do not start. */
export class Pauses extends Resource {
  list(query: QueryAt<"get", "/pauses"> = {}, options: CallOptions = {}): PagePromise<Models["Pause"]> {
    return this.api.list("/pauses", "pauses", { query }, options);
  }

  /** Pauses the whole server, or what the body names. Safe to repeat: the response is the active pause. */
  create(body: Models["NewPause"] = {}, options: CallOptions = {}): ApiPromise<Models["Pause"]> {
    return this.api.call("post", "/pauses", { body }, options);
  }

  end(id: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.api.call("delete", "/pauses/{id}", { path: { id } }, options);
  }
}

/** Credentials and models whose runs wait for a limit of their provider. */
export class Holds extends Resource {
  list(options: CallOptions = {}): ApiPromise<Models["HoldList"]> {
    return this.api.call("get", "/holds", {}, options);
  }

  /** Ends a hold before its time. If the provider still refuses, there is soon another one. */
  end(id: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.api.call("delete", "/holds/{id}", { path: { id } }, options);
  }
}
