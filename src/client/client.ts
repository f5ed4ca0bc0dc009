import createFetchClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api-types.ts";

export type Models = components["schemas"];
export type ProblemDetails = Models["Error"] & Record<string, unknown>;

export interface ClientOptions {
  /** Where the server is, without `/api/v1`. */
  baseUrl: string;
  apiKey?: string;
  /** Asks in place of the platform's own `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** An answer of the server that says what went wrong. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: ProblemDetails;

  constructor(status: number, problem: ProblemDetails) {
    super(problem.detail ?? problem.title ?? `the server answered ${status}`);
    this.name = "ApiError";
    this.status = status;
    this.problem = problem;
  }
}

/** A typed client of the API: `client.GET("/factories", …)`, with the paths and models of its description. */
export function createClient({ baseUrl, apiKey, fetch }: ClientOptions): Client<paths> {
  return createFetchClient<paths>({
    baseUrl: `${baseUrl.replace(/\/+$/, "")}/api/v1`,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    ...(fetch ? { fetch } : {}),
  });
}

/** The data of an answer. @throws ApiError when the server refused */
export async function dataOf<Data>(
  answer: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<NonNullable<Data>> {
  const { data, error, response } = await answer;
  if (response.ok) return data as NonNullable<Data>;
  const known = typeof error === "object" && error !== null;
  const fallback = {
    type: "",
    title: `The server answered ${response.status}`,
    status: response.status,
    error: "",
    retryable: false,
  };
  throw new ApiError(response.status, known ? (error as ProblemDetails) : fallback);
}
