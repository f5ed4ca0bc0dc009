import { stat } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { MillraceError, systemCode } from "../errors/error.ts";
import { PROBLEM_MEDIA_TYPE, problemDetails } from "../errors/problem-details.ts";
import { newUuid } from "../id.ts";
import type { Log } from "../log.ts";

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

/** Senders get 202 for what is lost until a deleted folder is noticed, so it is looked for often. */
const LOOK_EVERY_MS = 500;

/**
 * Looks whether files that this server has open are still where it opened them: a database that was deleted or replaced
 * takes writes all the same, and no one will find them.
 * @param onGone is called once, with the path
 * @returns what ends it
 */
async function watchDataFolder(
  paths: readonly string[],
  onGone: (path: string) => void,
): Promise<() => void> {
  const opened = await Promise.all(paths.map(async (path) => ({ path, identity: await identityOf(path) })));
  let looking = false;
  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    for (const { path, identity } of opened) {
      const found = await identityOf(path);
      if (found === identity || found === undefined) continue;
      clearInterval(timer);
      return onGone(path);
    }
    looking = false;
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** What a file is known by, whatever it is called; "gone" where there is none, nothing where the disk does not answer. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    return ["ENOENT", "ENOTDIR", "ESTALE"].includes(systemCode(error) ?? "") ? "gone" : undefined;
  }
}
