/**
 * The closed set of things that can go wrong, with the HTTP status and whether a caller may try again.
 * The API answers with them, a failed run carries them, and the CLI and the docs use the same words.
 */
export const ERROR_CODES = {
  invalid_request: { status: 400, retryable: false, title: "The request is not valid" },
  integration_not_configured: { status: 400, retryable: false, title: "The integration is not configured" },
  authentication_required: { status: 401, retryable: false, title: "Authentication is required" },
  external_authentication_required: {
    status: 401,
    retryable: false,
    title: "Another service requires authentication",
  },
  insufficient_credits: { status: 403, retryable: false, title: "Insufficient credits" },
  provider_limit: { status: 429, retryable: true, title: "The provider of the model refuses more requests" },
  budget_exceeded: { status: 403, retryable: false, title: "The budget is exceeded" },
  feature_not_available: { status: 403, retryable: false, title: "The feature is not available" },
  not_authorized: { status: 403, retryable: false, title: "Permission denied" },
  integration_disabled: { status: 403, retryable: false, title: "The integration is disabled" },
  content_policy_violation: { status: 403, retryable: false, title: "The content is not allowed" },
  resource_not_found: { status: 404, retryable: false, title: "Not found" },
  method_not_allowed: { status: 405, retryable: false, title: "Method not allowed" },
  conflict: { status: 409, retryable: true, title: "The request conflicts with the current state" },
  precondition_failed: { status: 412, retryable: false, title: "The resource was modified (ETag mismatch)" },
  payload_too_large: { status: 413, retryable: false, title: "The request body is too large" },
  invalid_answer: { status: 422, retryable: false, title: "The answer does not fit its schema" },
  operation_not_supported: { status: 422, retryable: false, title: "The operation is not supported" },
  rate_limited: { status: 429, retryable: true, title: "Too many requests" },
  resource_unavailable: { status: 429, retryable: true, title: "No capacity is available" },
  environment_setup_failed: { status: 500, retryable: false, title: "The environment setup failed" },
  internal_error: { status: 500, retryable: true, title: "Internal server error" },
  infrastructure_timeout: { status: 500, retryable: false, title: "The run timed out or was lost" },
  agent_process_failed: { status: 500, retryable: false, title: "The agent failed" },
  service_unavailable: { status: 503, retryable: true, title: "The service is unavailable" },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ErrorOptions {
  /** What the reader should do about it: one sentence, a command where there is one. */
  remedy?: string;
  /** Overrides the code's own answer to "may the caller try again?". */
  retryable?: boolean;
  /** Seconds after which trying again makes sense, 1..60. */
  retryAfter?: number;
  /** Further members of the problem document, for example the field that is wrong. */
  extra?: Record<string, unknown>;
  cause?: unknown;
}

/** A failure whose text may be shown to whoever asked. Any other Error is `internal_error` to the outside. */
export class MillraceError extends Error {
  readonly code: ErrorCode;
  readonly remedy: string | undefined;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;
  readonly extra: Record<string, unknown>;

  /** @param message what happened, where, and what was expected instead */
  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "MillraceError";
    this.code = code;
    this.remedy = options.remedy;
    this.retryable = options.retryable ?? ERROR_CODES[code].retryable;
    this.retryAfter = options.retryAfter;
    this.extra = options.extra ?? {};
  }
}

/** The text of whatever was thrown. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What a folder that is not there holds; for a `catch` of what reads it. */
export function emptyIfMissing(error: unknown): never[] {
  if (systemCode(error) === "ENOENT") return [];
  throw error;
}

/** The `code` that Node's own errors carry (`ENOENT`, `EADDRINUSE`), when the thrown thing has one. */
export function systemCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** The store cannot be used now. Nobody knows whether what it was asked has taken effect; whoever asks again later is told. */
export class StoreUnavailable extends MillraceError {
  /** @param why what a database says of itself, which is for the log */
  constructor(why: string) {
    super("service_unavailable", "The store is unavailable.", { retryAfter: 5, cause: new Error(why) });
  }
}

/** A word as a command line takes it. A name may have spaces and quotes. */
export function inShell(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * The command that sets a secret that is not there. A server with several factories has to hear which of them may use it.
 * @param factory its name; nothing for a run of none
 */
export function setSecret(secret: string, factory: string | undefined): string {
  const ofFactory = factory === undefined ? "" : ` --factory ${inShell(factory)}`;
  return `millrace secrets set ${secret}${ofFactory}`;
}

export function invalidField(field: string, why: string, remedy?: string): MillraceError {
  return new MillraceError("invalid_request", `${field}: ${why}.`, {
    ...(remedy === undefined ? {} : { remedy }),
    extra: { field },
  });
}
