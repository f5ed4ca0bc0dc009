import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import type { CallOptions } from "../options.ts";
import type { Models } from "../typed-paths.ts";

/** The definition format. Schemas require no key; validation does, unless the server's settings make it public. */
export class FactoryFiles {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  versions(options: CallOptions = {}): ApiPromise<Models["FactoryFileVersions"]> {
    return this.#api.call("get", "/factory-files/schemas", {}, options);
  }

  /** Every JSON Schema of a version, by its file name. */
  schemas(version: string, options: CallOptions = {}): ApiPromise<Models["FactoryFileSchemas"]> {
    return this.#api.call("get", "/factory-files/schemas/{version}", { path: { version } }, options);
  }

  /** Validates files as far as possible without a server's state. */
  validate(
    files: Models["DefinitionFile"][],
    options: CallOptions = {},
  ): ApiPromise<Models["FilesValidation"]> {
    return this.#api.call("post", "/factory-files/validate", { body: { files } }, options);
  }
}
