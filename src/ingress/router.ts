import type { IncomingMessage, ServerResponse } from "node:http";
import { ERROR_CODES, errorMessage, MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import type { Log } from "../log.ts";
import { PROBLEM_MEDIA_TYPE, problemDetails } from "../problem-details.ts";
import { type ReceiveParts, receive } from "./receive.ts";

/** Every path below this prefix is ingress and nothing else. */
export const INGRESS_PREFIX = "/webhooks/w/";

export interface RouterParts extends ReceiveParts {
  publicUrl: () => string;
  log: Log;
}

/** A refused body up to this size is read and dropped, so that the connection can be used again. */
const DISCARDED_BYTES = 64 * 1024;

/** The ingress as one plain handler: it can be mounted in Express, or be handed requests before Express sees them. */
export function ingressHandler(
  parts: RouterParts,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    receive(request, parts).then(
      (receipt) => answer(response, 202, "application/json", receipt),
      (error) => answerError(request, response, error, parts),
    );
  };
}

function answerError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  parts: RouterParts,
): void {
  if (request.destroyed && !request.complete) return;
  const traceId = newUuid();
  if (!(error instanceof MillraceError)) {
    parts.log.error({ trace_id: traceId, error: errorMessage(error) }, "a delivery failed");
  }
  const known = error instanceof MillraceError ? error : undefined;
  const instance = maskedPath(request.url ?? "");
  const problem = problemDetails(error, { publicUrl: parts.publicUrl(), instance, traceId });
  if (known?.code === "method_not_allowed") response.setHeader("allow", "POST");
  if (known?.retryAfter !== undefined) response.setHeader("retry-after", String(known.retryAfter));
  settleBody(request, response);
  answer(response, ERROR_CODES[known?.code ?? "internal_error"].status, PROBLEM_MEDIA_TYPE, problem);
}

/** A path without what may be a credential in it. */
function maskedPath(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  return path.replace(/^(\/webhooks\/w\/[^/]*\/).+$/, "$1{token}");
}

/** What is left of a refused body is dropped, or the connection ends with the answer when there is too much of it. */
function settleBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const announced = Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  if (announced > DISCARDED_BYTES) {
    response.setHeader("connection", "close");
    response.once("finish", () => request.destroy());
  } else request.resume();
}

function answer(response: ServerResponse, status: number, mediaType: string, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": mediaType, "content-length": Buffer.byteLength(text) });
  response.end(text);
}
