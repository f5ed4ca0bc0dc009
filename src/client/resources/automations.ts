import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import { ifMatch } from "../if-match.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Automations start runs. An automation is identified by its name or uid. */
export class Automations {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(
    factory: string,
    query: QueryAt<"get", "/factories/{factory}/automations"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Automation"]> {
    const given = { path: { factory }, query };
    return this.#api.list("/factories/{factory}/automations", "automations", given, options);
  }

  get(factory: string, name: string, options: CallOptions = {}): ApiPromise<Models["Automation"]> {
    const path = { factory, name };
    return this.#api.call("get", "/factories/{factory}/automations/{name}", { path }, options);
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
    return this.#api.call("put", "/factories/{factory}/automations/{name}", given, ifMatch(etag, options));
  }

  /** Deletes an automation if its ETag matches, or with `*`. */
  delete(factory: string, name: string, etag: string, options: CallOptions = {}): ApiPromise<undefined> {
    const given = { path: { factory, name } };
    return this.#api.call("delete", "/factories/{factory}/automations/{name}", given, ifMatch(etag, options));
  }

  /** Test whether a filter would trigger for a stored delivery or a body, and why. */
  testFilter(
    factory: string,
    body: Models["FilterTestRequest"],
    options: CallOptions = {},
  ): ApiPromise<Models["FilterTest"]> {
    return this.#api.call("post", "/factories/{factory}/filter-test", { path: { factory }, body }, options);
  }
}
