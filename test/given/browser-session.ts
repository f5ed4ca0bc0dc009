import type { Server } from "./server.ts";

/** What pages of the server itself send along. */
export const OWN_PAGE = { "sec-fetch-site": "same-origin" };

/** Signs in as a page of the server does. */
export function signIn(server: Server, apiKey: string, headers: Record<string, string> = OWN_PAGE) {
  return server.fetch("/session", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ api_key: apiKey }),
  });
}

/** The cookie that an answer sets, as a browser sends it back. */
export function cookieOf(answer: Response): string {
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

/** A call of the API by a page of the server whose browser has this cookie. */
export function callWith(
  server: Server,
  cookie: string,
  path = "/whoami",
  { method = "GET", body, headers = OWN_PAGE }: CallOptions = {},
) {
  return server.fetch(`/api/v1${path}`, {
    method,
    headers: { cookie, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

interface CallOptions {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}
