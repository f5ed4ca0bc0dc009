import type { Request, Response } from "express";
import type { PlacedOperation } from "./contract/document.ts";
import type { ApiRequest, Reply } from "./endpoint.ts";
import type { ReadJsonBody } from "./read-json-body.ts";
import { sendReply } from "./respond.ts";
import { requestCheck } from "./validate-request.ts";
import type { Visitors } from "./visitors.ts";

/** A request that carries no key. */
export interface OpenRequest extends Pick<ApiRequest, "path" | "query" | "body"> {
  etag: string | undefined;
  /** For answers that are no single document. */
  response: Response;
}

/** What stands behind an operation that needs no key. It only reads, and shows nothing that its caller has not been given. */
export interface OpenEndpoint {
  /** Whether the request itself proves that it may be answered: it does not count against its sender's budget. */
  isProven?(request: Pick<OpenRequest, "path" | "query">): boolean;
  handle(request: OpenRequest): Promise<OpenReply>;
}

export type OpenEndpoints = Record<string, OpenEndpoint>;

/** A reply that a client may keep until it has another tag. */
export type OpenReply = (NonNullable<Reply> & { etag?: string }) | undefined;

export interface OpenParts {
  visitors: Visitors;
  readBody: ReadJsonBody;
}

/** Nobody without a key makes the server hold more than the largest tree that may be sent, in JSON. */
const LARGEST_BODY_BYTES = 4 * 1024 * 1024;

/** One request without a key: whether its sender may ask again, whether its form is right, and then what it asks for. */
export function openHandler(
  { operation }: PlacedOperation,
  endpoint: OpenEndpoint,
  { visitors, readBody }: OpenParts,
) {
  const check = requestCheck(operation);
  return async (request: Request, response: Response): Promise<void> => {
    const path = request.params as Record<string, string>;
    const query = check.query(request.query);
    if (!endpoint.isProven?.({ path, query })) visitors.admit(request);
    const body = check.body(await readBody(request, LARGEST_BODY_BYTES));
    const reply = await endpoint.handle({
      path,
      query,
      body,
      etag: request.headers["if-none-match"],
      response,
    });
    if (!reply) return;
    if (reply.etag !== undefined)
      response.setHeader("etag", reply.etag).setHeader("cache-control", "no-cache");
    sendReply(response, reply);
  };
}
