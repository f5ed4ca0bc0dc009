import type { ApiAnswer } from "./conformance.ts";
import { findOperation } from "./described-operations.ts";
import type { Server } from "./server.ts";

/** An answer of the API with the request that it was given to. */
export interface GivenAnswer extends ApiAnswer {
  operationId: string;
  method: string;
  path: string;
}

/** A request to an operation of the API's description. */
export interface Asked {
  method: string;
  path: string;
  body: unknown;
  key: string;
  headers?: Record<string, string>;
}

/** Asks it, and answers with what the description is held against. @throws Error when no operation is asked */
export async function answerOf(
  server: Server,
  { method, path, body, key, headers = {} }: Asked,
): Promise<GivenAnswer> {
  const placed = findOperation(method, `/api/v1${path}`);
  if (!placed) throw new Error(`no operation is ${method} ${path}`);
  const response = await server.fetch(`/api/v1${path}`, {
    method,
    headers: { ...headers, authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const contentType = response.headers.get("content-type");
  const isStream = contentType === "text/event-stream";
  if (isStream) await response.body?.cancel();
  return {
    operationId: placed.operation.operationId,
    method,
    path: `/api/v1${path}`,
    status: response.status,
    contentType,
    text: isStream ? undefined : await response.text(),
  };
}
