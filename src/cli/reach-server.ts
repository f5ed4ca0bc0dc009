import { API_HEADER } from "../api/api-header.ts";
import { ConnectionError } from "../client/client.ts";
import { isJson } from "../client/read-body.ts";
import { errorMessage } from "../error.ts";

/** How long an answer may take; the server itself needs milliseconds. */
const ANSWER_WITHIN_MS = 30_000;

/** Nothing of ours answered: the server is not there, is silent, or is another program. Who waits is told at once. */
export class NoAnswer extends ConnectionError {
  override readonly name = "NoAnswer";
  readonly title: string;
  readonly remedy: string;

  constructor(title: string, message: string, remedy: string, retryable = false) {
    super(message, { retryable });
    this.title = title;
    this.remedy = remedy;
  }
}

/**
 * How commands ask a server: with a limit to their patience, and never taking another program's answer for its own.
 * What waits on purpose (`?wait=…`) has no limit, nor has a plan, for which the server may have to fetch; a transcript has
 * none once it has begun.
 */
export function fetchFrom(server: string): (request: Request) => Promise<Response> {
  // A server that has answered this command and does not answer now is started again, or is about to be.
  let wasThere = false;
  return async (request) => {
    const stop = new AbortController();
    const timer = takesItsTime(new URL(request.url))
      ? undefined
      : setTimeout(() => stop.abort(silent(server)), ANSWER_WITHIN_MS);
    // Node's fetch never settles when the other end closes before it has sent: then nothing is left to wait for, and
    // the process would end without a word.
    timer?.unref();
    const closed = () => stop.abort(unreachable(server, "the other end closed the connection", wasThere));
    process.once("beforeExit", closed);
    try {
      const response = await fetch(request, { signal: AbortSignal.any([request.signal, stop.signal]) });
      if (!response.headers.has(API_HEADER)) throw anotherProgram(server, response);
      wasThere = true;
      return isJson(response) ? new Response(await response.arrayBuffer(), response) : response;
    } catch (error) {
      throw error instanceof NoAnswer ? error : unreachable(server, error, wasThere);
    } finally {
      clearTimeout(timer);
      process.off("beforeExit", closed);
    }
  };
}

function takesItsTime({ searchParams, pathname }: URL): boolean {
  return searchParams.has("wait") || pathname.endsWith("/plan");
}

function anotherProgram(server: string, { status, headers }: Response): NoAnswer {
  const type = headers.get("content-type")?.split(";")[0];
  return new NoAnswer(
    "This is another program",
    `${server} did not answer as millrace: it answered ${status}${type ? ` with ${type}` : ""}.`,
    "Check --server or MILLRACE_SERVER, and what stands between you and the server.",
  );
}

function silent(server: string): NoAnswer {
  return new NoAnswer(
    "The server does not answer",
    `${server} took the connection and did not answer as millrace within ${ANSWER_WITHIN_MS / 1_000} s.`,
    "Check --server or MILLRACE_SERVER, and look at the log of the server.",
  );
}

function unreachable(server: string, error: unknown, retryable: boolean): NoAnswer {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return new NoAnswer(
    "The server cannot be reached",
    `${server} did not answer as millrace: ${errorMessage(cause) || "the connection failed"}.`,
    "Start it with `millrace serve`, or check --server or MILLRACE_SERVER.",
    retryable,
  );
}
