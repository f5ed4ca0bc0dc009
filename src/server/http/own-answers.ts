import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { maskedPath } from "../../edge/masked-path.ts";
import { MillraceError, systemCode } from "../../errors/error.ts";
import { PROBLEM_MEDIA_TYPE, problemDetails } from "../../errors/problem-details.ts";
import { newUuid } from "../../id.ts";

/** Why a request is refused before any handler sees it. */
interface Malformed {
  status: 400 | 408 | 413 | 417 | 431;
  detail: string;
  remedy: string;
}

const NO_HOST: Malformed = {
  status: 400,
  detail: "The request has no Host header, which HTTP/1.1 requires.",
  remedy: "Send the header `Host` with the name of this server.",
};
const UNKNOWN_EXPECTATION: Malformed = {
  status: 417,
  detail: "The header Expect contains an expectation that this server does not know.",
  remedy: "Leave the header out, or send `Expect: 100-continue`.",
};
const NOT_HTTP: Malformed = {
  status: 400,
  detail: "What was sent is not a valid HTTP/1.1 request.",
  remedy: "Send a request as RFC 9112 describes it.",
};
const UNREADABLE: Record<string, Malformed> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    detail: "The headers are larger than 16 KB together.",
    remedy: "Send fewer or shorter headers.",
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    detail: "The extensions of a chunk are larger than 16 KB.",
    remedy: "Send chunks without extensions.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    detail: "The request did not arrive in time.",
    remedy: "Send the headers within 15 seconds, and the whole request within 45 seconds.",
  },
};

/**
 * Refuses what Node would refuse by itself: HTTP/1.1 without a `Host` (RFC 9112, 3.2), and expectations that nobody knows
 * (RFC 9110, 10.1.1). Node holds its own answers behind one that is still open, as many as a client sends ahead, megabytes in one
 * read; here they wait in turn, and are counted, as all requests are.
 */
export function refuseMalformed(handler: RequestListener, publicUrl: () => string): RequestListener {
  return (request, response) => {
    const refusal = refusalOf(request);
    if (refusal === undefined) {
      handler(request, response);
      return;
    }
    const text = problemText(refusal, publicUrl(), maskedPath(request.url ?? ""));
    response.writeHead(refusal.status, {
      "content-type": PROBLEM_MEDIA_TYPE,
      "content-length": Buffer.byteLength(text),
      connection: "close",
    });
    response.end(text);
  };
}

function refusalOf({ httpVersion, headers }: IncomingMessage): Malformed | undefined {
  if (httpVersion !== "1.1") return undefined;
  if (headers.host === undefined) return NO_HOST;
  // Node has answered this one with 100, and hands it over.
  if (headers.expect === undefined || /\b100-continue\b/i.test(headers.expect)) return undefined;
  return UNKNOWN_EXPECTATION;
}

/**
 * Answers what Node could not read as a request, and ends the connection.
 * @param begun an answer to a request that is broken off here
 */
export function refuseUnreadable(
  error: Error,
  socket: Socket,
  { publicUrl, begun }: { publicUrl: () => string; begun: ServerResponse | undefined },
): void {
  if (socket.writable && !begun?.headersSent) {
    const refusal = UNREADABLE[systemCode(error) ?? ""] ?? NOT_HTTP;
    const text = problemText(refusal, publicUrl(), "");
    const head = [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      "Connection: close",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${text}`);
  }
  socket.destroySoon();
}

function problemText({ status, detail, remedy }: Malformed, publicUrl: string, instance: string): string {
  const code = status === 413 ? "payload_too_large" : "invalid_request";
  const problem = problemDetails(new MillraceError(code, detail, { remedy }), {
    publicUrl,
    instance,
    traceId: newUuid(),
  });
  if (problem.status === status) return JSON.stringify(problem);
  // No code of millrace has this status, whose own meaning says enough (RFC 9457, 4.2.1).
  const title = STATUS_CODES[status] ?? "";
  const retryable = status === 408;
  return JSON.stringify({
    ...problem,
    type: "about:blank",
    title,
    status,
    error: `${title} (${detail})`,
    retryable,
  });
}
