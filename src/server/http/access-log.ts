import type { RequestListener } from "node:http";
import { maskedPath } from "../../edge/masked-path.ts";
import type { Log } from "../../log.ts";

/** Logs each answer at the level debug: no query, no header, and no path segment that may be a credential. */
export function withAccessLog(handler: RequestListener, log: Log): RequestListener {
  return (request, response) => {
    const began = performance.now();
    response.once("close", () => {
      const { statusCode: status, writableFinished: finished } = response;
      const ms = Math.round(performance.now() - began);
      log.debug(
        { method: request.method, path: maskedPath(request.url ?? ""), status, finished, ms },
        "request",
      );
    });
    handler(request, response);
  };
}
