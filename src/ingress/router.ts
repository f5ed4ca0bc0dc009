import type { IncomingMessage, ServerResponse } from "node:http";
import { ERROR_CODES, errorMessage, MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import type { Log } from "../log.ts";
import { PROBLEM_MEDIA_TYPE, problemDetails } from "../problem-details.ts";
import { answerRefused } from "./answer-refused.ts";
import { maskedPath } from "./masked-path.ts";
import { SenderGone } from "./read-body.ts";
import { type ReceiveParts, receive } from "./receive.ts";
import { Refusal, type RefusalReason } from "./refusal.ts";

export interface RouterParts extends ReceiveParts {
  publicUrl: () => string;
  log: Log;
  onRefused(reason: RefusalReason): void;
  /** Hears how long each request took that was answered with 202, from its last header to the answer. */
  onAnswered(seconds: number): void;
}

/** The ingress as one plain handler: it can be mounted in Express, or be handed requests before Express sees them. */
export function ingressHandler(
  parts: RouterParts,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const began = performance.now();
    receive(request, parts).then(
      ({ status, body }) => {
        answer(response, status, body);
        if (status === 202) parts.onAnswered((performance.now() - began) / 1_000);
      },
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
  if (error instanceof SenderGone || (request.destroyed && !request.complete)) return;
  const traceId = newUuid();
  if (!(error instanceof MillraceError)) {
    parts.log.error({ trace_id: traceId, error: errorMessage(error) }, "a delivery failed");
  }
  const known = error instanceof MillraceError ? error : undefined;
  parts.onRefused(error instanceof Refusal ? error.reason : known ? "store" : "error");
  const instance = maskedPath(request.url ?? "");
  const text = JSON.stringify(problemDetails(error, { publicUrl: parts.publicUrl(), instance, traceId }));
  if (known?.code === "method_not_allowed") response.setHeader("allow", "POST");
  if (known?.retryAfter !== undefined) response.setHeader("retry-after", String(known.retryAfter));
  answerRefused(request, response, {
    status: ERROR_CODES[known?.code ?? "internal_error"].status,
    mediaType: PROBLEM_MEDIA_TYPE,
    text,
    isLarge: known?.code === "payload_too_large",
  });
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
