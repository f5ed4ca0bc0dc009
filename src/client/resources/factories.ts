import { type ApiPromise, ifMatch, type PagePromise, Resource } from "../api.ts";
import type { CallOptions } from "../options.ts";
import { withIdempotencyKey } from "../send.ts";
import type { Models, QueryAt } from "../typed-paths.ts";
import { longPollMs } from "./runs.ts";

/** Factories: definitions with their sources. A factory is identified by its name or uid. */
export class Factories extends Resource {
  list(query: QueryAt<"get", "/factories"> = {}, options: CallOptions = {}): PagePromise<Models["Factory"]> {
    return this.api.list("/factories", "factories", { query }, options);
  }

  /** Factories in the database that no source serves (resting). */
  async resting(options: CallOptions = {}): Promise<Models["RestingFactory"][]> {
    const { resting = [] } = await this.api.call("get", "/factories", { query: { limit: 1 } }, options);
    return resting;
  }

  get(factory: string, options: CallOptions = {}): ApiPromise<Models["Factory"]> {
    return this.api.call("get", "/factories/{factory}", { path: { factory } }, options);
  }

  /** Creates a factory with a managed definition. */
  create(name: string, options: CallOptions = {}): ApiPromise<Models["Factory"]> {
    return this.api.call("post", "/factories", { body: { name } }, options);
  }

  /** What deleting a factory would remove; also for a resting factory. */
  deletion(factory: string, options: CallOptions = {}): ApiPromise<Models["FactoryDeletion"]> {
    return this.api.call("get", "/factories/{factory}/deletion", { path: { factory } }, options);
  }

  /** Deletes a factory with all of its active resources. */
  delete(factory: string, options: CallOptions = {}): ApiPromise<void> {
    return this.api.call("delete", "/factories/{factory}", { path: { factory } }, options);
  }

  /** The files of the applied definition, without their content. */
  files(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/files"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["FactoryFile"]> {
    return this.api.list("/factories/{factory}/files", "files", { path: { factory }, query }, options);
  }

  /** A file of the applied definition. */
  file(factory: string, path: string, options: CallOptions = {}): ApiPromise<Models["FactoryFileContent"]> {
    return this.api.call("get", "/factories/{factory}/files/{path}", { path: { factory, path } }, options);
  }

  /** Writes and deletes files of a managed definition, all of them or none. */
  changeFiles(
    factory: string,
    body: Models["FileChanges"],
    options: CallOptions = {},
  ): ApiPromise<Models["ChangedFiles"]> {
    return this.api.call("post", "/factories/{factory}/files", { path: { factory }, body }, options);
  }

  /** Syncs the source now; with `wait`, the response is sent when the sync has finished. */
  sync(
    factory: string,
    query: QueryAt<"post", "/factories/{factory}/sync"> = {},
    options: CallOptions = {},
  ): ApiPromise<Models["Factory"]> {
    const patience = query.wait ? { timeoutMs: options.timeoutMs ?? Number.POSITIVE_INFINITY } : {};
    const given = { path: { factory }, query };
    return this.api.call("post", "/factories/{factory}/sync", given, { ...options, ...patience });
  }

  /** Attempts to apply revisions, newest first. */
  revisions(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/revisions"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Revision"]> {
    return this.api.list(
      "/factories/{factory}/revisions",
      "revisions",
      { path: { factory }, query },
      options,
    );
  }

  /** Get the state of a commit. With `wait`, the response is sent when the state is final. */
  commit(
    factory: string,
    commit: string,
    query: QueryAt<"get", "/factories/{factory}/commits/{commit}"> = {},
    options: CallOptions = {},
  ): ApiPromise<Models["CommitStanding"]> {
    const timeoutMs = options.timeoutMs ?? this.api.timeoutMs + longPollMs(query.wait);
    const given = { path: { factory, commit }, query };
    return this.api.call("get", "/factories/{factory}/commits/{commit}", given, { ...options, timeoutMs });
  }

  /** Stops applying new revisions. Safe to repeat. */
  suspend(factory: string, options: CallOptions = {}): ApiPromise<Models["Factory"]> {
    return this.api.call("post", "/factories/{factory}/suspend", { path: { factory } }, options);
  }

  /** Resumes applying new revisions. */
  resume(factory: string, options: CallOptions = {}): ApiPromise<Models["Factory"]> {
    return this.api.call("post", "/factories/{factory}/resume", { path: { factory } }, options);
  }

  /** Re-applies an earlier revision and suspends the factory. */
  rollback(factory: string, revision: string, options: CallOptions = {}): ApiPromise<Models["Factory"]> {
    const given = { path: { factory }, body: { revision } };
    return this.api.call("post", "/factories/{factory}/rollback", given, options);
  }

  /** What applying a definition would change. Nothing is written, so the request may be retried. */
  plan(
    factory: string,
    body: Models["PlanRequest"] = {},
    options: CallOptions = {},
  ): ApiPromise<Models["Plan"]> {
    return this.api.call("post", "/factories/{factory}/plan", { path: { factory }, body }, options);
  }

  /** How stored state differs from the applied revision. */
  drift(factory: string, options: CallOptions = {}): ApiPromise<Models["Drift"]> {
    return this.api.call("get", "/factories/{factory}/drift", { path: { factory } }, options);
  }

  /** The runners of the definition. */
  runners(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/runners"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Runner"]> {
    return this.api.list("/factories/{factory}/runners", "runners", { path: { factory }, query }, options);
  }

  /** The files of the applied revision, or of another attempted one. */
  export(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/export"> = {},
    options: CallOptions = {},
  ): ApiPromise<Models["FactoryExport"]> {
    return this.api.call("get", "/factories/{factory}/export", { path: { factory }, query }, options);
  }

  /** Assigns a run to the foreman of a factory. Retries start only one run. */
  dispatch(
    uid: string,
    body: Models["FactoryRunRequest"],
    options: CallOptions = {},
  ): ApiPromise<Models["FactoryRunResponse"]> {
    return this.api.call("post", "/factory/{uid}/runs", { path: { uid }, body }, withIdempotencyKey(options));
  }
}

/** The definition format. Schemas require no key; validation does, unless the server's settings make it public. */
export class FactoryFiles extends Resource {
  versions(options: CallOptions = {}): ApiPromise<Models["FactoryFileVersions"]> {
    return this.api.call("get", "/factory-files/schemas", {}, options);
  }

  /** Every JSON Schema of a version, by its file name. */
  schemas(version: string, options: CallOptions = {}): ApiPromise<Models["FactoryFileSchemas"]> {
    return this.api.call("get", "/factory-files/schemas/{version}", { path: { version } }, options);
  }

  /** Validates files as far as possible without a server's state. */
  validate(
    files: Models["DefinitionFile"][],
    options: CallOptions = {},
  ): ApiPromise<Models["FilesValidation"]> {
    return this.api.call("post", "/factory-files/validate", { body: { files } }, options);
  }
}

/** Automations start runs. An automation is identified by its name or uid. */
export class Automations extends Resource {
  list(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/automations"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Automation"]> {
    const given = { path: { factory }, query };
    return this.api.list("/factories/{factory}/automations", "automations", given, options);
  }

  get(factory: string, name: string, options: CallOptions = {}): ApiPromise<Models["Automation"]> {
    const path = { factory, name };
    return this.api.call("get", "/factories/{factory}/automations/{name}", { path }, options);
  }

  /** Creates or replaces the file of an automation. @param etag of an existing one, or `*`; undefined for a new one */
  put(
    factory: string,
    name: string,
    content: string,
    etag?: string,
    options: CallOptions = {},
  ): ApiPromise<Models["Automation"]> {
    const given = { path: { factory, name }, body: { content } };
    return this.api.call("put", "/factories/{factory}/automations/{name}", given, ifMatch(etag, options));
  }

  /** Deletes an automation if its ETag matches, or with `*`. */
  delete(factory: string, name: string, etag: string, options: CallOptions = {}): ApiPromise<undefined> {
    const given = { path: { factory, name } };
    return this.api.call("delete", "/factories/{factory}/automations/{name}", given, ifMatch(etag, options));
  }

  /** Test whether a filter would trigger for a stored delivery or a body, and why. */
  testFilter(
    factory: string,
    body: Models["FilterTestRequest"],
    options: CallOptions = {},
  ): ApiPromise<Models["FilterTest"]> {
    return this.api.call("post", "/factories/{factory}/filter-test", { path: { factory }, body }, options);
  }
}
