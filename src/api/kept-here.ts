import { MillraceError } from "../error.ts";
import { inShell } from "../in-shell.ts";
import type { Precondition } from "../reconcile/edits/tag.ts";
import type { Factory } from "../reconcile/factories.ts";
import type { FactorySource } from "../reconcile/factory.ts";
import type { ApiRequest } from "./endpoint.ts";

/**
 * Sees to it that the definition of a factory can be changed here.
 * @param what to do in the place where the definition is kept, with which file of it
 * @throws MillraceError `conflict` that says which file of which repository to change instead
 */
export function requireKeptHere({ record: { name, mode, source } }: Factory, what: Elsewhere): void {
  if (mode === "managed") return;
  const place = "url" in source ? `the repository ${source.url}` : `the folder ${source.path}`;
  throw new MillraceError(
    "conflict",
    `The factory "${name}" is defined by ${place}, which millrace only reads; the file is ${fileIn(source, what.path)}.`,
    {
      remedy: what.secret === undefined ? changeOf(source, what) : rotationOf(source, what.secret, name),
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
    ? `${change} in ${source.url}, and push that to its branch ${source.branch}.`
    : `${change}.`;
}

/** A new commit has secrets read anew; a folder has no commits. */
function rotationOf(source: FactorySource, secret: string, factory: string): string {
  const set = `Run \`millrace secrets set ${secret}\``;
  return "url" in source
    ? `${set}, and push a commit to the branch ${source.branch} of ${source.url}; an empty one will do.`
    : `${set}, and then \`millrace sync ${inShell(factory)}\`.`;
}

/** What to do elsewhere: something with a file, or another value for a secret. */
export interface Elsewhere {
  verb: "Add" | "Change" | "Delete";
  /** Below the root of the definition. */
  path: string;
  secret?: string;
}

/**
 * What a request says of the state that it is about.
 * @returns a check that throws `precondition_failed` when something is there and the request does not name its state, or
 * when nothing is there and it does
 */
export function preconditionOf({ http: { request } }: ApiRequest): Precondition {
  return preconditionOn(request.headers["if-match"], OF_HEADER);
}

/** As {@link preconditionOf}, of one of the files that a request brings, each with an etag of its own. */
export function preconditionOnFile(path: string, etag: string | undefined): Precondition {
  return preconditionOn(etag, {
    field: "files",
    missing: `${path} is not there, and has an etag in the request.`,
    unnamed: `${path} is there already, and has no etag in the request.`,
    changed: `${path} is not what it was any more when the request was made.`,
    makeNew: "Leave etag out of a file that is new.",
    getAgain: "Get the files again, and send each that is there with its etag.",
  });
}

/** How a failed precondition is told. */
interface Told {
  field: string;
  missing: string;
  unnamed: string;
  changed: string;
  makeNew: string;
  getAgain: string;
}

const OF_HEADER: Told = {
  field: "If-Match",
  missing: "If-Match names something that is not there.",
  unnamed: "This is there already, and the request has no If-Match.",
  changed: "This is not what it was any more when the request was made.",
  makeNew: "Leave If-Match out to make something new.",
  getAgain: "Get it again, and send what you change with the ETag of that answer as If-Match.",
};

/** @param given ETags, with commas between */
function preconditionOn(given: string | undefined, told: Told): Precondition {
  const tags = given?.split(",").map((tag) => tag.trim());
  return (tag) => {
    if (tag === undefined && tags === undefined) return;
    if (tag !== undefined && (tags?.includes(tag) || tags?.includes("*"))) return;
    const message = tag === undefined ? told.missing : tags === undefined ? told.unnamed : told.changed;
    throw new MillraceError("precondition_failed", message, {
      remedy: tag === undefined ? told.makeNew : told.getAgain,
      extra: { field: told.field },
    });
  };
}
