import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import { withIdempotencyKey } from "../idempotency-key.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";
import { longPollMs } from "./wait-for-run.ts";

/** Definitions with their sources. A factory is named by its name or its uid. */
export class Factories {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query: QueryAt<"get", "/factories"> = {}, options: CallOptions = {}): PagePromise<Models["Factory"]> {
    return this.#api.list("/factories", "factories", { query }, options);
  }

  get(factory: string, options: CallOptions = {}): ApiPromise<Models["Factory"]> {
    return this.#api.call("get", "/factories/{factory}", { path: { factory } }, options);
  }

  /** Makes a factory whose definition millrace keeps. */
  create(name: string, options: CallOptions = {}): ApiPromise<Models["Factory"]> {
    return this.#api.call("post", "/factories", { body: { name } }, options);
  }

  /** What deleting a factory would take away; also of one that no source serves now. */
  deletion(factory: string, options: CallOptions = {}): ApiPromise<Models["FactoryDeletion"]> {
    return this.#api.call("get", "/factories/{factory}/deletion", { path: { factory } }, options);
  }

  /** Deletes a factory with all that is in force of it. */
  delete(factory: string, options: CallOptions = {}): ApiPromise<void> {
    return this.#api.call("delete", "/factories/{factory}", { path: { factory } }, options);
  }

  /** The files of a definition in force, without their content. */
  files(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/files"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["FactoryFile"]> {
    return this.#api.list("/factories/{factory}/files", "files", { path: { factory }, query }, options);
  }

  /** A file of a definition in force. */
  file(factory: string, path: string, options: CallOptions = {}): ApiPromise<Models["FactoryFileContent"]> {
    return this.#api.call("get", "/factories/{factory}/files/{path}", { path: { factory, path } }, options);
  }

  /** Writes and deletes files of a definition that millrace keeps, all of them or none. */
  changeFiles(
    factory: string,
    body: Models["FileChanges"],
    options: CallOptions = {},
  ): ApiPromise<Models["ChangedFiles"]> {
    return this.#api.call("post", "/factories/{factory}/files", { path: { factory }, body }, options);
  }

  /** Has the source looked at now; with `wait`, the answer comes afterwards, however long that takes. */
  sync(
    factory: string,
    query: QueryAt<"post", "/factories/{factory}/sync"> = {},
    options: CallOptions = {},
  ): ApiPromise<Models["Factory"]> {
    const patience = query.wait ? { timeoutMs: options.timeoutMs ?? Number.POSITIVE_INFINITY } : {};
    const given = { path: { factory }, query };
    return this.#api.call("post", "/factories/{factory}/sync", given, { ...options, ...patience });
  }

  /** The attempts to bring revisions into force, the newest first. */
  revisions(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/revisions"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Revision"]> {
    return this.#api.list(
      "/factories/{factory}/revisions",
      "revisions",
      { path: { factory }, query },
      options,
    );
  }

  /** Whether a commit is in force; with `wait`, the answer comes when that is no longer open. */
  commit(
    factory: string,
    commit: string,
    query: QueryAt<"get", "/factories/{factory}/commits/{commit}"> = {},
    options: CallOptions = {},
  ): ApiPromise<Models["CommitStanding"]> {
    const timeoutMs = options.timeoutMs ?? this.#api.timeoutMs + longPollMs(query.wait);
    const given = { path: { factory, commit }, query };
    return this.#api.call("get", "/factories/{factory}/commits/{commit}", given, { ...options, timeoutMs });
  }

  /** Holds what is in force. Twice is as good as once. */
  suspend(factory: string, options: CallOptions = {}): ApiPromise<Models["Factory"]> {
    return this.#api.call("post", "/factories/{factory}/suspend", { path: { factory } }, options);
  }

  /** Has the source count again. */
  resume(factory: string, options: CallOptions = {}): ApiPromise<Models["Factory"]> {
    return this.#api.call("post", "/factories/{factory}/resume", { path: { factory } }, options);
  }

  /** Brings a revision into force again that was in force before, and suspends the factory. */
  rollback(factory: string, revision: string, options: CallOptions = {}): ApiPromise<Models["Factory"]> {
    const given = { path: { factory }, body: { revision } };
    return this.#api.call("post", "/factories/{factory}/rollback", given, options);
  }

  /** What applying a definition would change. Nothing is written, so the request may be made again. */
  plan(
    factory: string,
    body: Models["PlanRequest"] = {},
    options: CallOptions = {},
  ): ApiPromise<Models["Plan"]> {
    return this.#api.call("post", "/factories/{factory}/plan", { path: { factory }, body }, options);
  }

  /** How what is stored differs from the revision in force. */
  drift(factory: string, options: CallOptions = {}): ApiPromise<Models["Drift"]> {
    return this.#api.call("get", "/factories/{factory}/drift", { path: { factory } }, options);
  }

  /** What runs execute on, as the definition says. */
  runners(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/runners"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Runner"]> {
    return this.#api.list("/factories/{factory}/runners", "runners", { path: { factory }, query }, options);
  }

  /** The files of the revision in force, or of another that was tried. */
  export(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/export"> = {},
    options: CallOptions = {},
  ): ApiPromise<Models["FactoryExport"]> {
    return this.#api.call("get", "/factories/{factory}/export", { path: { factory }, query }, options);
  }

  /** Hands a run to the foreman of a factory. However often the request has to be made, there is one. */
  dispatch(
    uid: string,
    body: Models["FactoryRunRequest"],
    options: CallOptions = {},
  ): ApiPromise<Models["FactoryRunResponse"]> {
    return this.#api.call(
      "post",
      "/factory/{uid}/runs",
      { path: { uid }, body },
      withIdempotencyKey(options),
    );
  }
}
