import type { components } from "./api-types.ts";

/** The body of an error answer: RFC 9457, with further members such as the `field` that is wrong. */
export type ProblemDetails = components["schemas"]["Error"] & Record<string, unknown>;

/** An answer of the server that says what went wrong. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly status: number;
  /** One of the server's error codes (`resource_not_found`); nothing when the answer was not the server's own. */
  readonly code: string | undefined;
  readonly problem: ProblemDetails;
  readonly headers: Headers;

  constructor(status: number, problem: ProblemDetails, headers: Headers) {
    super(problem.detail ?? problem.title);
    this.status = status;
    this.code = problem.type.split("/").at(-1) || undefined;
    this.problem = problem;
    this.headers = headers;
  }

  /** By which the server's log knows this failure. */
  get traceId(): string | undefined {
    return this.problem.trace_id;
  }

  /** What to do about it. */
  get remedy(): string | undefined {
    return this.problem.remedy;
  }
}

/** 400 */
export class BadRequestError extends ApiError {
  override readonly name = "BadRequestError";
}

/** 401 */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 403 */
export class PermissionDeniedError extends ApiError {
  override readonly name = "PermissionDeniedError";
}

/** 404 */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 409 */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}

/** 412 */
export class PreconditionFailedError extends ApiError {
  override readonly name = "PreconditionFailedError";
}

/** 413 */
export class PayloadTooLargeError extends ApiError {
  override readonly name = "PayloadTooLargeError";
}

/** 422 */
export class UnprocessableEntityError extends ApiError {
  override readonly name = "UnprocessableEntityError";
}

/** 429 */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}

/** 500 and above */
export class InternalServerError extends ApiError {
  override readonly name = "InternalServerError";
}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

/** The error that a refusal is thrown as. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const Class = CLASSES[status] ?? (status >= 500 ? InternalServerError : ApiError);
  return new Class(status, problemOf(await response.text(), status), headers);
}

/** What stands between a client and its server, such as a proxy, answers in forms of its own. */
function problemOf(body: string, status: number): ProblemDetails {
  const told = { type: "", title: `The server answered ${status}`, status, error: "" };
  try {
    const parsed: unknown = JSON.parse(body);
    const isProblem = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isProblem ? { ...told, ...parsed } : told;
  } catch {
    return told;
  }
}

/** There was no answer, or not all of it. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
  /** Whether the same call may fare better a moment later. */
  readonly retryable: boolean;

  constructor(message: string, { cause, retryable = true }: { cause?: unknown; retryable?: boolean } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryable = retryable;
  }
}

/** The answer did not come in time. */
export class ConnectionTimeoutError extends ConnectionError {
  override readonly name = "ConnectionTimeoutError";
}

/** A run is still at work when the time to wait for it is over. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";
}
