import type { components } from "./api-types.ts";

/** The body of an error response (RFC 9457), with additional members such as the invalid `field`. */
export type ProblemDetails = components["schemas"]["Error"] & Record<string, unknown>;

/** An error response of the server. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly status: number;
  /** One of the server's error codes (`resource_not_found`); undefined if the response did not come from the server itself. */
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

  /** Identifies this failure in the server's log. */
  get traceId(): string | undefined {
    return this.problem.trace_id;
  }

  /** How to fix it. */
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

/** The error class for a response status. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const Class = CLASSES[status] ?? (status >= 500 ? InternalServerError : ApiError);
  return new Class(status, problemOf(await response.text(), status), headers);
}

/** A proxy between the client and its server can respond in its own format. */
function problemOf(body: string, status: number): ProblemDetails {
  const told = { type: "", title: `The server returned ${status}`, status, error: "" };
  try {
    const parsed: unknown = JSON.parse(body);
    const isProblem = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isProblem ? { ...told, ...parsed } : told;
  } catch {
    return told;
  }
}

/** There was no response, or it was incomplete. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;

  constructor(message: string, { cause, retryable = true }: { cause?: unknown; retryable?: boolean } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryable = retryable;
  }
}

/** The response did not arrive in time. */
export class ConnectionTimeoutError extends ConnectionError {
  override readonly name = "ConnectionTimeoutError";
}

/** A run has not ended within the time to wait for it. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";
}
