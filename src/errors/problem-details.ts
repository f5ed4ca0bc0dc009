import { ERROR_CODES, type ErrorCode, MillraceError } from "./error.ts";

/** The body of every error answer: RFC 9457 with the members of the public API. */
export interface ProblemDetails {
  /** A URI that ends in the error code; the server has a page there. */
  type: string;
  title: string;
  status: number;
  /** The legacy text: the title, with the detail in brackets. */
  error: string;
  detail?: string | undefined;
  /** What the reader should do about it. */
  remedy?: string | undefined;
  /** The path of the request. */
  instance?: string;
  retryable: boolean;
  trace_id?: string;
  [extension: string]: unknown;
}

/** What an answer 401 asks for (RFC 9110, 11.6.1). */
export const BEARER_CHALLENGE = 'Bearer realm="millrace"';

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** Where a failure was met, which its answer names so that it can be found in the log. */
export interface ProblemPlace {
  publicUrl: string;
  instance: string;
  traceId: string;
}

/** What the outside is told of a failure. What was not meant for it becomes `internal_error` without a detail. */
export function problemDetails(
  error: unknown,
  { publicUrl, instance, traceId }: ProblemPlace,
): ProblemDetails {
  const known = error instanceof MillraceError ? error : undefined;
  const code: ErrorCode = known?.code ?? "internal_error";
  const { status, title, retryable } = ERROR_CODES[code];
  return {
    type: `${publicUrl}/errors/${code}`,
    title,
    status,
    error: known ? `${title} (${known.message})` : title,
    detail: known?.message,
    remedy: known?.remedy || undefined,
    instance,
    retryable: known?.retryable ?? retryable,
    trace_id: traceId,
    ...known?.extra,
  };
}
