import type { Request, Response } from "express";
import { MillraceError } from "../error.ts";
import type { ApiKey, Role } from "../principals/principal.ts";
import type { Caller } from "./authorize.ts";

/** A request whose parameters and body fit the description of the API, from a caller whose role is enough. */
export interface ApiRequest {
  /** The `operationId` of what is asked for. */
  operation: string;
  caller: Caller;
  path: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: the description of the API has checked what is in it
  query: Record<string, any>;
  // biome-ignore lint/suspicious/noExplicitAny: the description of the API has checked what is in it
  body: any;
  /** For answers that are no single document, such as a stream of events. */
  http: {
    request: Request;
    response: Response;
    /** Whether the key of the request is still in force, for answers that take long. */
    isAdmitted(): Promise<boolean>;
  };
}

/** What a handler answers with. Nothing when it has written the response itself. */
export type Reply =
  | { status?: number; json: unknown; etag?: string | undefined }
  /** JSON that has been written already. */
  | { jsonText: string }
  | { bytes: Uint8Array; mediaType: string }
  | { status: 204 | 304 }
  | undefined;

/** What stands behind an operation of the API's description. */
export interface Endpoint {
  role: Role;
  /** Whether the token of a run is good for this too; the handler sees to it that it reaches its own run only. */
  runToken?: boolean;
  /** Whether it changes nothing although it is no GET: it leaves no record in the audit log. */
  onlyReads?: boolean;
  /** What a call is about in the audit log, where the path does not name it. */
  subject?(request: ApiRequest): string;
  /** How many bytes its body may have, where that is less than any may have. */
  largestBody?: number;
  handle(request: ApiRequest): Promise<Reply>;
}

export type Endpoints = Record<string, Endpoint>;

/** The key of a caller, where a run's token does not come this far. */
export function keyOf({ caller }: ApiRequest): ApiKey {
  if (caller.kind === "key") return caller.key;
  throw new MillraceError("not_authorized", "The token of a run reaches that run and nothing else.");
}

/**
 * The key of a caller, for what belongs to the server as a whole: whoever sets secrets or makes keys can reach
 * everything, so a key that is limited to some factories may not.
 */
export function unlimitedKeyOf(request: ApiRequest): ApiKey {
  const key = keyOf(request);
  if (key.factories === null) return key;
  throw new MillraceError(
    "not_authorized",
    "This belongs to the whole server; the key is limited to some factories.",
  );
}
