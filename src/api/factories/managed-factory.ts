import { inShell, MillraceError, setSecret } from "../../errors/error.ts";
import type { FactorySource } from "../../reconcile/factory.ts";
import type { Precondition } from "../../reconcile/managed-edits/change-file.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { ApiRequest } from "../http/endpoint.ts";

/**
 * Sees to it that the definition of a factory can be changed here.
 * @param what to do in the place where the definition is kept, with which file of it
 * @throws MillraceError `conflict` that says which file of which repository to change instead
 */
export function requireManaged({ record: { name, mode, source } }: Factory, what: Elsewhere): void {
  if (mode === "managed") return;
  const place = "url" in source ? `the repository ${source.url}` : `the folder ${source.path}`;
  throw new MillraceError(
    "conflict",
    `The factory "${name}" is read-only here: it is defined in ${place}, file ${fileIn(source, what.path)}.`,
    {
      remedy:
        what.secret === undefined ? changeOf(source, what) : rotationOf(source, what.secret, name, what.path),
      retryable: false,
    },
  );
}

function fileIn(source: FactorySource, path: string): string {
  if ("url" in source) return source.path === "." ? path : `${source.path}/${path}`;
  return `${source.path}/${path}`;
}

function changeOf(source: FactorySource, { verb, path }: Elsewhere): string {
  const change = `${verb} ${fileIn(source, path)}`;
  return "url" in source
    ? `${change} in ${source.url} and push the change to the branch ${source.branch}.`
    : `${change}.`;
}

/** A new commit has secrets read anew; a folder has no commits. */
function rotationOf(
  source: FactorySource,
  { name, isThere, overlaps }: RotatedSecret,
  factory: string,
  path: string,
): string {
  if (overlaps)
    return `Set the new value as another secret, then set secretName to it in ${fileIn(source, path)}, with \`millrace: {previousSecretName: ${name}, until: TIME}\`.`;
  // One that is there keeps its scope, which the option --factory would change.
  const set = `Run \`${setSecret(name, isThere ? undefined : factory)}\``;
  return "url" in source
    ? `${set}, then push a commit to the branch ${source.branch} of ${source.url}; an empty commit is enough.`
    : `${set}, then run \`millrace sync ${inShell(factory)}\`.`;
}

/** What to do elsewhere: something with a file, or another value for a secret. */
export interface Elsewhere {
  verb: "Add" | "Change" | "Delete";
  /** Below the root of the definition. */
  path: string;
  secret?: RotatedSecret;
}

interface RotatedSecret {
  name: string;
  isThere: boolean;
  /** Whether the value before is to be accepted for a while. */
  overlaps: boolean;
}

/**
 * What a request says of the state that it is about.
 * @returns a check that throws `precondition_failed` when something is there and the request does not name its state, or
 * when nothing is there and it does
 */
export function preconditionOf({ http: { request } }: Pick<ApiRequest, "http">): Precondition {
  return preconditionOn(request.headers["if-match"], OF_HEADER);
}

/** As {@link preconditionOf}, of one of the files that a request brings, each with an etag of its own. */
export function preconditionOnFile(path: string, etag: string | undefined): Precondition {
  return preconditionOn(etag, {
    field: "files",
    missing: `${path} does not exist, but the request has an etag for it.`,
    unnamed: `${path} already exists, but the request has no etag for it.`,
    changed: `${path} was modified after the etag in the request was read.`,
    makeNew: "Omit etag for a new file.",
    getAgain: "Get the files again, and send each existing file with its current etag.",
  });
}

/** How a failed precondition is told. */
interface Wording {
  field: string;
  missing: string;
  unnamed: string;
  changed: string;
  makeNew: string;
  getAgain: string;
}

const OF_HEADER: Wording = {
  field: "If-Match",
  missing: "The request has If-Match, but the resource does not exist.",
  unnamed: "The resource already exists, but the request has no If-Match.",
  changed: "The resource was modified after the ETag in If-Match was read.",
  makeNew: "Omit If-Match to create a new resource.",
  getAgain: "Get the resource again, and send the change with the ETag of that response as If-Match.",
};

/** @param given ETags, with commas between */
function preconditionOn(given: string | undefined, wording: Wording): Precondition {
  const tags = given?.split(",").map((tag) => tag.trim());
  return (tag) => {
    if (tag === undefined && tags === undefined) return;
    if (tag !== undefined && (tags?.includes(tag) || tags?.includes("*"))) return;
    const message =
      tag === undefined ? wording.missing : tags === undefined ? wording.unnamed : wording.changed;
    throw new MillraceError("precondition_failed", message, {
      remedy: tag === undefined ? wording.makeNew : wording.getAgain,
      extra: { field: wording.field },
    });
  };
}
