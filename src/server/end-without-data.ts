import type { RequestListener } from "node:http";
import { MillraceError } from "../errors/error.ts";
import { PROBLEM_MEDIA_TYPE, problemDetails } from "../errors/problem-details.ts";
import { newUuid } from "../id.ts";
import type { Log } from "../log.ts";
import { watchDataFolder } from "./watch-data-folder.ts";

/** How long requests are refused with the reason before the server ends. */
const REFUSE_FOR_MS = 1_000;

export interface WithoutDataDeps {
  publicUrl: () => string;
  log: Log;
  onFatal(error: Error): void;
}

export interface DataGuard {
  /** Has a listener refuse everything from the moment on that the data of this server is gone. */
  guarded(handler: RequestListener): RequestListener;
  stop(): void;
}

/** Sees to it that a server whose data folder was deleted promises nothing more, and ends. */
export async function endWithoutData(
  paths: readonly string[],
  { publicUrl, log, onFatal }: WithoutDataDeps,
): Promise<DataGuard> {
  let gone: MillraceError | undefined;
  const stop = await watchDataFolder(paths, (path) => {
    gone = new MillraceError(
      "service_unavailable",
      "The data folder of this server was deleted; the server is shutting down.",
      {
        retryAfter: 5,
      },
    );
    log.error({ path }, "the data folder was deleted or replaced; every request is refused");
    setTimeout(() => onFatal(new Error(`${path} was deleted or replaced`)), REFUSE_FOR_MS);
  });
  const refuse: RequestListener = (request, response) => {
    const place = { publicUrl: publicUrl(), instance: "/", traceId: newUuid() };
    const body = JSON.stringify(problemDetails(gone, place));
    response.writeHead(503, { "content-type": PROBLEM_MEDIA_TYPE, "retry-after": "5", connection: "close" });
    response.end(body);
    request.resume();
  };
  return {
    guarded: (handler) => (request, response) =>
      gone ? refuse(request, response) : handler(request, response),
    stop,
  };
}
