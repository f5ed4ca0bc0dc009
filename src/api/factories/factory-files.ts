import { createHash } from "node:crypto";
import type { Config } from "../../config/config.ts";
import { deferredResolutions, STATE_DEPENDENT_CHECKS } from "../../definitions/deferred.ts";
import type { LoadTree } from "../../definitions/loading/load.ts";
import { DEFINITION_SCHEMAS, readSchema, SCHEMA_VERSION } from "../../definitions/loading/validate.ts";
import { hasErrors, type Problem, sortProblems } from "../../definitions/problem.ts";
import { type RunnerHost, runnersFitTheHost } from "../../definitions/runner-host.ts";
import { MillraceError } from "../../errors/error.ts";
import { type SentFile, treeOfFiles } from "../../git/sent-files.ts";
import { API_PREFIX } from "../document.ts";
import type { AnswerOf, Endpoints, OperationId } from "../http/endpoint.ts";
import type { OpenEndpoints } from "../http/open-endpoint.ts";
import { SENT_LIMITS } from "../models/revisions.ts";

/** Every schema of the definition format by its file name. */
const DOCUMENTS: readonly string[] = [...DEFINITION_SCHEMAS, "common"].map((name) => `${name}.schema.json`);

export interface ValidationDeps {
  load: LoadTree;
  config: Pick<Config, "publicValidate">;
  /** Where runs execute, of which only those with a key are told. */
  host: RunnerHost;
}

/** The definition format itself: its schemas, which anybody may have. */
export function schemaEndpoints() {
  const documents = new Map(
    DOCUMENTS.map((name) => [name, JSON.parse(readSchema(`${SCHEMA_VERSION}/${name}`))]),
  );
  return {
    listFactoryFileSchemas: {
      async handle({ etag }) {
        const schema_url = `${API_PREFIX}/factory-files/schemas/${SCHEMA_VERSION}`;
        const versions = [{ schema_version: SCHEMA_VERSION, schema_url }];
        return kept<"listFactoryFileSchemas">({ current_version: SCHEMA_VERSION, versions }, etag);
      },
    },
    getFactoryFileSchemas: {
      async handle({ path, etag }) {
        checkVersion(path.version);
        return kept<"getFactoryFileSchemas">(
          { schema_version: SCHEMA_VERSION, documents: Object.fromEntries(documents) },
          etag,
        );
      },
    },
    getFactoryFileSchema: {
      async handle({ path, etag }) {
        checkVersion(path.version);
        const document = documents.get(path.document);
        if (document) return kept<"getFactoryFileSchema">(document, etag);
        throw new MillraceError("resource_not_found", `There is no schema "${path.document}".`, {
          remedy: `The schemas of ${SCHEMA_VERSION} are ${DOCUMENTS.join(", ")}.`,
        });
      },
    },
  } satisfies OpenEndpoints;
}

/** The check of files that somebody sends: it reaches nothing of the server, and costs it processor time. */
export function validationEndpoints({ load, host }: ValidationDeps) {
  return {
    validateFactoryFiles: {
      onlyReads: true,
      largestBody: MAX_BODY_BYTES,
      handle: async ({ body }) => ({ json: await validateFiles(body.files, load, host) }),
    },
  } satisfies Endpoints;
}

/** The same for anybody, where the settings say so. */
export function openValidation({ load }: ValidationDeps) {
  return {
    validateFactoryFiles: { handle: async ({ body }) => ({ json: await validateFiles(body.files, load) }) },
  } satisfies OpenEndpoints;
}

/** The largest tree that may be sent, in JSON. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** An answer that changes with the program only. */
function kept<Id extends OperationId>(value: AnswerOf<Id>, known: string | undefined) {
  const jsonText = JSON.stringify(value);
  const etag = `"${createHash("sha256").update(jsonText).digest("base64url").slice(0, 22)}"`;
  const tags = (known ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*") ? { status: 304 as const, etag } : { jsonText, etag };
}

function checkVersion(version: string): void {
  if (version === SCHEMA_VERSION) return;
  throw new MillraceError(
    "resource_not_found",
    `There is no version "${version}" of the definition format.`,
    {
      remedy: `The current version is ${SCHEMA_VERSION}.`,
    },
  );
}

async function validateFiles(files: readonly SentFile[], load: LoadTree, host?: RunnerHost) {
  refuseTooLarge(files);
  const loaded = await load(treeOfFiles(files), "factory");
  const { definition } = loaded;
  const problems = sortProblems([...loaded.problems, ...(host ? runnersFitTheHost(loaded, host) : [])]);
  return {
    valid: !hasErrors(problems),
    schema_version: SCHEMA_VERSION,
    // The public format has no notices: what it says and this server leaves alone is no fault of the files.
    diagnostics: problems.filter(isNoNotice),
    deferred_resolutions: definition ? deferredResolutions(definition) : [],
    state_dependent_checks_not_run: [...STATE_DEPENDENT_CHECKS],
    validation_scope: { parser: true, state_independent: true, state_dependent: false },
  };
}

function isNoNotice(problem: Problem): problem is Problem & { severity: "error" | "warning" } {
  return problem.severity !== "notice";
}

/** @throws MillraceError `invalid_request` */
function refuseTooLarge(files: readonly SentFile[]): void {
  const sizes = files.map(({ content }) => Buffer.byteLength(content));
  const large = files[sizes.findIndex((size) => size > SENT_LIMITS.fileBytes)];
  if (large) throw tooLarge(`The file ${JSON.stringify(large.path.slice(0, 200))} is`, SENT_LIMITS.fileBytes);
  if (sizes.reduce((sum, size) => sum + size, 0) > SENT_LIMITS.bytes)
    throw tooLarge("All files together are", SENT_LIMITS.bytes);
}

function tooLarge(what: string, bytes: number): MillraceError {
  return new MillraceError("invalid_request", `${what} larger than ${bytes / 1024} KiB.`, {
    remedy: "`millrace validate` checks a folder of any size.",
  });
}
