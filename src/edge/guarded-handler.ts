import type { IncomingMessage, RequestListener } from "node:http";
import { errorMessage, MillraceError } from "../errors/error.ts";
import { newUuid } from "../id.ts";
import type { Log } from "../log.ts";
import { answerError } from "./answer-error.ts";
import { SenderGone } from "./read-body.ts";

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
