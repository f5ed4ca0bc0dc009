import type { Request, Response } from "express";
import { SenderGone } from "../../edge/read-body.ts";
import { ERROR_CODES, errorMessage, MillraceError } from "../../errors/error.ts";
import { ASK_AGAIN, SERVER_FAILED } from "../../git/mirrors/ask-again.ts";
import { SourceError } from "../../git/revision.ts";
import type { Log } from "../../log.ts";

const CHALLENGE = 'Basic realm="millrace workers", charset="UTF-8"';
/**
 * What the forge did not give: 424 Failed Dependency. An answer of 502 would be one of a proxy before a server that is away, for which
 * workers wait.
 */
const FORGE_FAILED = 424;

/**
 * Answers a git request that failed, as text: git shows that to its user, and nothing of other types. An answer that has
 * begun is cut off, so that its client does not take it for whole.
 */
export function refuseGit(
  request: Request,
  response: Response,
  error: unknown,
  log: Pick<Log, "warn">,
): void {
  const { status, text, retryAfter } = explained(error);
  if (status === 500) log.warn({ error: errorMessage(error) }, "a clone by a worker failed");
  if (error instanceof SenderGone || response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (status === 401) response.setHeader("www-authenticate", CHALLENGE);
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  // What is left of a body is not read.
  if (!request.complete) response.setHeader("connection", "close");
  response
    .setHeader("cache-control", "no-store")
    .status(status)
    .type("text/plain; charset=utf-8")
    .end(`${text}\n`);
}

function explained(error: unknown): { status: number; text: string; retryAfter?: number | undefined } {
  if (error instanceof SourceError) return { status: FORGE_FAILED, text: error.message };
  if (!(error instanceof MillraceError)) return { status: 500, text: SERVER_FAILED };
  const { message, remedy, retryAfter } = error;
  const { status } = ERROR_CODES[error.code];
  const advice = status === 503 ? ASK_AGAIN : remedy;
  return { status, text: advice === undefined ? message : `${message} ${advice}`, retryAfter };
}
