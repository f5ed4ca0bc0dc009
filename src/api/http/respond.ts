import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { NextFunction, Request, Response } from "express";
import { maskedPath } from "../../edge/masked-path.ts";
import { ERROR_CODES, errorMessage, MillraceError, systemCode } from "../../errors/error.ts";
import { BEARER_CHALLENGE, PROBLEM_MEDIA_TYPE, problemDetails } from "../../errors/problem-details.ts";
import { newUuid } from "../../id.ts";
import type { Log } from "../../log.ts";
import type { Reply } from "./endpoint.ts";
import { API_HEADER, API_VERSION } from "./headers.ts";

export interface RespondDeps {
  publicUrl: () => string;
  log: Log;
}

/** What an agent or a sender has made is never rendered as a page of this server. */
export const UNTRUSTED_CONTENT_POLICY = "sandbox; default-src 'none'";

/** Writes what a handler has answered with. */
export function sendReply(response: Response, reply: Reply): void {
  if (!reply) return;
  response.setHeader(API_HEADER, API_VERSION);
  if ("json" in reply) {
    if (reply.etag !== undefined) response.setHeader("etag", reply.etag);
    response.status(reply.status ?? 200).json(reply.json);
  } else if ("jsonText" in reply) {
    response.type("application/json").send(reply.jsonText);
  } else if ("bytes" in reply) {
    response.setHeader("content-security-policy", UNTRUSTED_CONTENT_POLICY);
    if (reply.fileName !== undefined) response.attachment(reply.fileName);
    response.type(reply.mediaType).send(Buffer.from(reply.bytes));
  } else response.status(reply.status).end();
}

/** Sends the rest of an answer piece by piece. A reader that leaves is no failure of the server. */
export async function sendStream(content: Readable, response: Response): Promise<void> {
  await pipeline(content, response).catch((error) => {
    if (systemCode(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}

/** Turns whatever was thrown into problem details; what nobody foresaw is logged under the trace id that is shown. */
export function sendErrors({ publicUrl, log }: RespondDeps) {
  return (thrown: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const error = fromExpress(thrown);
    const traceId: string = response.locals.traceId ?? newUuid();
    const known = error instanceof MillraceError ? error : undefined;
    if (!known)
      log.error(
        { trace_id: traceId, path: maskedPath(request.path), error: errorMessage(error) },
        "a request failed",
      );
    if (known?.retryAfter !== undefined) response.setHeader("retry-after", String(known.retryAfter));
    if (known && ERROR_CODES[known.code].status === 401)
      response.setHeader("www-authenticate", BEARER_CHALLENGE);
    // A client that retries by status alone is told when that is of no use.
    if (known && known.retryable !== ERROR_CODES[known.code].retryable) {
      response.setHeader("x-should-retry", String(known.retryable));
    }
    response
      .setHeader(API_HEADER, API_VERSION)
      .status(ERROR_CODES[known?.code ?? "internal_error"].status)
      .type(PROBLEM_MEDIA_TYPE)
      .send(
        JSON.stringify(
          problemDetails(error, { publicUrl: publicUrl(), instance: maskedPath(request.path), traceId }),
        ),
      );
  };
}

/** Express refuses what it cannot decode with errors of its own. */
function fromExpress(thrown: unknown): unknown {
  if (thrown instanceof MillraceError || !(thrown instanceof Error) || !("status" in thrown)) return thrown;
  if (thrown.status === 413)
    return new MillraceError("payload_too_large", "The body of the request is too large.");
  if (typeof thrown.status === "number" && thrown.status >= 400 && thrown.status < 500) {
    return new MillraceError("invalid_request", `The request could not be read: ${thrown.message}.`);
  }
  return thrown;
}

/** Answers what is asked of a path in a way that it does not know. */
export function refuseMethod(allowed: readonly string[]) {
  return (request: Request, response: Response): void => {
    response.setHeader("allow", allowed.join(", "));
    throw new MillraceError(
      "method_not_allowed",
      `${request.method} is not allowed here; allowed: ${allowed.join(", ")}.`,
    );
  };
}
