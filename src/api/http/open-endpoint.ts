import type { Request, Response } from "express";
import type { AnonymousLimit } from "./caller-limits.ts";
import type { ApiRequest, OperationId, Reply } from "./endpoint.ts";
import type { PlacedOperation } from "./operation.ts";
import type { ReadJsonBody } from "./read-json-body.ts";
import { sendReply } from "./respond.ts";
import { requestCheck } from "./validate-request.ts";

/** A request that carries no key. */
export interface OpenRequest<Id extends OperationId = OperationId>
  extends Pick<ApiRequest<Id>, "path" | "query" | "body"> {
  etag: string | undefined;
  /** For answers that are no single document. */
  response: Response;
}

/** What stands behind an operation that needs no key. It only reads, and shows nothing that its caller has not been given. */
export interface OpenEndpoint<Id extends OperationId = OperationId> {
  /** Whether the request itself proves that it may be answered: it does not count against its sender's budget. */
  isProven?: (request: Pick<OpenRequest<Id>, "path" | "query">) => boolean;
  handle: (request: OpenRequest<Id>) => Promise<OpenReply<Id>>;
}

/** As `Endpoints`, of those that need no key. */
export type OpenEndpoints = { [Id in OperationId]?: OpenEndpoint<Id> };

/** A reply that a client may keep until it has another tag. */
export type OpenReply<Id extends OperationId = OperationId> =
  | (NonNullable<Reply<Id>> & { etag?: string })
  | undefined;

export interface OpenDeps {
  anonymousLimit: AnonymousLimit;
  readBody: ReadJsonBody;
}

/** Nobody without a key makes the server hold more than the largest tree that may be sent, in JSON. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** One request without a key: whether its sender may ask again, whether its form is right, and then what it asks for. */
export function openHandler<Id extends OperationId>(
  { operation }: PlacedOperation<Id>,
  endpoint: OpenEndpoint<Id>,
  { anonymousLimit, readBody }: OpenDeps,
) {
  const check = requestCheck(operation);
  return async (request: Request, response: Response): Promise<void> => {
    const path = check.path(request.params);
    const query = check.query(request.query);
    if (!endpoint.isProven?.({ path, query })) anonymousLimit.admit(request);
    const body = check.body(await readBody(request, MAX_BODY_BYTES));
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
