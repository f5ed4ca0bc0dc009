import { BASE } from "./base.ts";
import { ApiError, type Models } from "./client.ts";

/**
 * Begins a session with a key. It is no part of the API that programs use, so the client has no method for it.
 * @throws ApiError that says why not
 */
export async function signIn(apiKey: string): Promise<void> {
  const answer = await fetch(`${BASE}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ api_key: apiKey }),
  });
  if (answer.ok) return;
  const problem = await answer.json().catch(() => noProblem(answer));
  throw new ApiError(answer.status, problem, answer.headers);
}

/** Ends the session. */
export async function signOut(): Promise<void> {
  await fetch(`${BASE}/session`, { method: "DELETE" });
}

function noProblem({ status, statusText }: Response): Models["Error"] {
  const title = statusText || `The server returned status ${status}`;
  return { type: "", title, status, error: title, retryable: false };
}
