import type { Request, Response } from "express";
import type { operations } from "../../client/api-types.ts";
import type { ExpectedTags } from "../../concurrency/record-tag.ts";
import { MillraceError } from "../../errors/error.ts";
import { isUid, isUuid } from "../../id.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { Caller } from "../../runs/caller.ts";
import { type IdempotencyKey, idempotencyKey, type SentKey } from "../../runs/idempotency.ts";
import type { RunSource } from "../../runs/run-source.ts";
import { CLIENT_HEADER } from "./headers.ts";
import type { QueryDefaults } from "./query-defaults.ts";

/** The operations of the API's description, by their ids. */
export type OperationId = keyof operations;

type Given<Id extends OperationId, In extends "path" | "query"> = NonNullable<
  operations[Id]["parameters"][In]
>;
/** An operation without such parameters has none to read. */
type OrNone<Parameters> = [Parameters] extends [never] ? Record<never, never> : Parameters;
type Json<Of> = Of extends { content: { "application/json": infer Data } } ? Data : never;

/** The parameters in the path of an operation. */
export type PathOf<Id extends OperationId> = OrNone<Given<Id, "path">>;

/** The query of an operation. What has a default in the description is always there. */
export type QueryOf<Id extends OperationId> = Id extends keyof QueryDefaults
  ? Given<Id, "query"> & Required<Pick<Given<Id, "query">, QueryDefaults[Id] & keyof Given<Id, "query">>>
  : OrNone<Given<Id, "query">>;

/** The JSON body of an operation: checked, and not filled with defaults. */
export type BodyOf<Id extends OperationId> = Id extends OperationId
  ? operations[Id] extends { requestBody: infer Body }
    ? Json<Body>
    : operations[Id] extends { requestBody?: infer Body }
      ? Json<NonNullable<Body>> | undefined
      : undefined
  : never;

/** The JSON that an operation answers with when all went well. */
export type AnswerOf<Id extends OperationId> = Id extends OperationId
  ? {
      [Status in keyof operations[Id]["responses"]]: Status extends "default"
        ? never
        : Json<operations[Id]["responses"][Status]>;
    }[keyof operations[Id]["responses"]]
  : never;

/** A request whose parameters and body fit the description of the API, from a caller whose role is enough. */
export interface ApiRequest<Id extends OperationId = OperationId> {
  /** What is asked for. */
  operation: Id;
  caller: Caller;
  path: PathOf<Id>;
  query: QueryOf<Id>;
  body: BodyOf<Id>;
  /** For answers that are no single document, such as a stream of events. */
  http: {
    request: Request;
    response: Response;
    /** Whether the key of the request is still in force, for answers that take long. */
    isAdmitted(): Promise<boolean>;
  };
}

/** What a handler answers with. Nothing when it has written the response itself. */
export type Reply<Id extends OperationId = OperationId> =
  | { status?: number; json: AnswerOf<Id>; etag?: string | undefined }
  /** JSON that has been written already. */
  | { jsonText: string }
  /** @property fileName what browsers save it as, instead of showing it */
  | { bytes: Uint8Array; mediaType: string; fileName?: string }
  | { status: 204 | 304 }
  | undefined;

/** What stands behind an operation of the API's description, which says who may call it. */
export interface Endpoint<Id extends OperationId = OperationId> {
  /** Whether it changes nothing although it is no GET: it leaves no record in the audit log. */
  onlyReads?: boolean;
  /** What a call is about in the audit log, where the path does not name it. */
  subject?: (request: ApiRequest<Id>) => string;
  /** How many bytes its body may have, where that is less than any may have. */
  largestBody?: number;
  handle: (request: ApiRequest<Id>) => Promise<Reply<Id>>;
}

/** The endpoints of some operations: `satisfies Endpoints` holds each to the description of its operation. */
export type Endpoints = { [Id in OperationId]?: Endpoint<Id> };

/** The part of a request that says who calls. */
export type Called = Pick<ApiRequest, "caller">;

/** The key of a caller, where a run's token does not come this far. */
export function keyOf({ caller }: Called): ApiKey {
  if (caller.kind === "key") return caller.key;
  throw new MillraceError("not_authorized", "A run's token does not give access to this.");
}

/**
 * The key of a caller, for what belongs to the server as a whole: whoever sets secrets or makes keys can reach
 * everything, so a key that is limited to some factories may not.
 */
export function unlimitedKeyOf(request: Called): ApiKey {
  const key = keyOf(request);
  if (key.factories === null) return key;
  throw new MillraceError(
    "not_authorized",
    "This applies to the whole server, but the API key is limited to some factories.",
  );
}

/** The uid that the path names. @throws MillraceError `invalid_request` for what cannot be one */
export function uidInPath({ path: { uid } }: { path: { uid: string } }): string {
  if (isUid(uid)) return uid;
  throw malformed(uid, "a uid", "22 letters and digits", "uid");
}

/** The UUID that the path names, in its usual small letters. @throws MillraceError `invalid_request` */
export function uuidInPath<Name extends string>(
  { path }: { path: Record<NoInfer<Name>, string> },
  parameter: Name,
): string {
  const given = path[parameter];
  const uuid = given.toLowerCase();
  if (isUuid(uuid)) return uuid;
  throw malformed(given, "an id", "a UUID", parameter);
}

function malformed(given: string, what: string, expected: string, field: string): MillraceError {
  return new MillraceError("invalid_request", `"${given}" is not ${what}: expected ${expected}.`, {
    extra: { field },
  });
}

/** Members of whom some may be undefined, without those: a type that lets a member be left out does not let it be undefined. */
export function withoutUndefined<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  // Entries have lost which value belongs to which name.
  return Object.fromEntries(given) as { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
}

/**
 * The ETags that a request names in If-Match, for what the public API has too: its clients send none, and then the last one
 * wins.
 */
export function expectedTags({ http: { request } }: Pick<ApiRequest, "http">): ExpectedTags {
  const tags = request.headers["if-match"]?.split(",").map((tag) => tag.trim());
  return tags?.includes("*") ? undefined : tags;
}

/** Somebody else was faster. */
export function changedMeanwhile(): MillraceError {
  return new MillraceError(
    "precondition_failed",
    "The resource was modified after the ETag in If-Match was read.",
    {
      remedy: "Get the resource again, and send the change with the ETag of that response as If-Match.",
      extra: { field: "If-Match" },
    },
  );
}

/**
 * The Idempotency-Key of a request, bound to who sends it and to what it asks for; nothing without the header.
 * @throws MillraceError `invalid_request`
 */
export function readIdempotencyKey(
  request: Request,
  principalUid: string,
  body: unknown,
): IdempotencyKey | null {
  return idempotencyKey(sentKey(request), principalUid, body);
}

export function sentKey(request: Request): SentKey {
  return { key: request.headers["idempotency-key"], operation: operationOf(request) };
}

/** Both paths that create runs are one operation, and ids are the same in either case. */
function operationOf({ path }: Request): string {
  return path
    .toLowerCase()
    .replace(/\/agent\/run\/?$/, "/agent/runs")
    .replace(/\/$/, "");
}

const SOURCES: Readonly<Record<string, RunSource>> = { cli: "CLI", web: "WEB_APP" };

export function sourceOf(request: Request): RunSource {
  return SOURCES[String(request.headers[CLIENT_HEADER])] ?? "API";
}
