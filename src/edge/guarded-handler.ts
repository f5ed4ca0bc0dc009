import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { ERROR_CODES, errorMessage, MillraceError } from "../errors/error.ts";
import {
  BEARER_CHALLENGE,
  PROBLEM_MEDIA_TYPE,
  type ProblemPlace,
  problemDetails,
} from "../errors/problem-details.ts";
import { newUuid } from "../id.ts";
import type { Log } from "../log.ts";
import { maskedPath } from "./masked-path.ts";
import { announcedBytes, SenderGone } from "./read-body.ts";

/** What a sender gets when its request was taken. */
export interface Answer {
  status: 202 | 200;
  body: object;
}

export interface HandlerDeps {
  publicUrl: () => string;
  log: Log;
}

export interface HandlerOptions extends HandlerDeps {
  /** Takes a request in. @throws MillraceError that the sender is answered with; what else it throws is logged */
  receive(request: IncomingMessage): Promise<Answer>;
  /** What the log calls the failure of one: "a delivery failed". */
  failure: string;
  /** Hears of each error that a sender is answered with. */
  onRefused?(error: unknown): void;
  /** Hears how long each request took that was answered with 202, from its last header to the answer. */
  onAnswered?(seconds: number): void;
}

/** A plain handler, which can be mounted in Express or be handed requests before Express sees them. */
export function guardedHandler(options: HandlerOptions): RequestListener {
  const { receive, failure, onRefused, onAnswered, publicUrl, log } = options;
  return (request, response) => {
    const began = performance.now();
    receive(request).then(
      ({ status, body }) => {
        const text = JSON.stringify(body);
        response.writeHead(status, {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(text),
        });
        response.end(text);
        if (status === 202) onAnswered?.((performance.now() - began) / 1_000);
      },
      (error) => {
        if (error instanceof SenderGone || (request.destroyed && !request.complete)) return;
        const traceId = newUuid();
        if (!(error instanceof MillraceError)) {
          log.error({ trace_id: traceId, error: errorMessage(error) }, failure);
        }
        onRefused?.(error);
        answerError(request, response, error, { publicUrl: publicUrl(), traceId });
      },
    );
  };
}

/** A refused body up to this size is read and dropped, so that the connection can be used again. */
const DISCARDED_BYTES = 64 * 1024;
/**
 * With a larger one the connection ends, so long after the answer: if it ended while its sender still writes, that would be
 * reset, and might never see the answer.
 */
const LINGER_MS = 1_000;
/**
 * So much of it is read and dropped meanwhile, and no more: a sender that looks for an answer only when it cannot write on, as
 * nginx does with `proxy_request_buffering off`, finds it then.
 */
const LINGER_BYTES = 1024 * 1024;

/** Writes the answer to a request whose body nobody will read to its end, and sees to the rest of that body. */
function answerError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  place: Omit<ProblemPlace, "instance">,
): void {
  const { code, retryAfter } = error instanceof MillraceError ? error : { code: "internal_error" as const };
  const { status } = ERROR_CODES[code];
  const text = JSON.stringify(problemDetails(error, { ...place, instance: maskedPath(request.url ?? "") }));
  const isLarge = code === "payload_too_large" || announcedBytes(request) > DISCARDED_BYTES;
  const lingers = !request.complete && isLarge;
  if (lingers) response.setHeader("connection", "close");
  if (status === 401) response.setHeader("www-authenticate", BEARER_CHALLENGE);
  if (status === 405) response.setHeader("allow", "POST");
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  response.writeHead(status, {
    "content-type": PROBLEM_MEDIA_TYPE,
    "content-length": Buffer.byteLength(text),
  });
  // Node closes the connection with the end of such an answer, so the end waits for the sender.
  if (lingers) response.write(text);
  else response.end(text);
  if (!request.complete) dropBody(request, () => (lingers ? response.end() : request.destroy()), lingers);
}

/** @param cut ends a connection whose sender has had its time, or has come to its end where nothing else would end it */
function dropBody(request: IncomingMessage, cut: () => void, lingers: boolean): void {
  let dropped = 0;
  let timer = lingers ? setTimeout(cut, LINGER_MS) : undefined;
  request.on("data", (chunk: Buffer) => {
    dropped += chunk.length;
    // A body that announced no length may turn out to be a large one when the answer is on its way.
    if (dropped > DISCARDED_BYTES) timer ??= setTimeout(cut, LINGER_MS);
    if (dropped > LINGER_BYTES) request.pause();
  });
  for (const event of ["end", "close"]) {
    request.once(event, () => {
      clearTimeout(timer);
      if (lingers) cut();
    });
  }
  request.resume();
}
