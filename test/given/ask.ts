import { automationOn, FACTORY, TOKEN_WEBHOOK } from "./definition.ts";
import { ADMIN_KEY, type Server, type ServerOptions, startServer } from "./server.ts";
import { sourceFor } from "./serving.ts";

/** What the API answered, whatever its status is. */
export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** What is no JSON object is in `text`. */
  body: Body;
}

/** A request to the API with the admin key, with another, or with none (""). */
export async function ask<Body = Record<string, unknown>>(
  server: Server,
  method: string,
  path: string,
  options: { key?: string; body?: unknown; raw?: string | Buffer; headers?: Record<string, string> } = {},
): Promise<Answer<Body>> {
  const { key = ADMIN_KEY, body, raw, headers = {} } = options;
  const answer = await server.fetch(`/api/v1${path}`, {
    method,
    headers: { ...headers, ...(key === "" ? {} : { authorization: `Bearer ${key}` }) },
    ...(raw === undefined ? (body === undefined ? {} : { body: JSON.stringify(body) }) : { body: raw }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text.startsWith("{") ? JSON.parse(text) : { text },
  };
}

/** A server of a factory with one webhook, ci, and one automation that listens to it. */
export function acmeServer(options: Omit<ServerOptions, "sources"> = {}): Promise<Server> {
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };
  return startServer({ sources: [sourceFor(files, options)], ...options });
}

/** A new key. @returns its value and its id */
export function makeKey(
  server: Server,
  key: { name: string; role?: string; kind?: string; factories?: string[]; expires_at?: string },
): Promise<{ id: string; key: string }> {
  return server.api("POST", "/api-keys", key);
}

/** A new key of a name that nobody else has. @returns its value */
export async function aKey(
  server: Server,
  options: { role?: "viewer" | "operator" | "admin"; factories?: string[] },
): Promise<string> {
  keys += 1;
  return (await makeKey(server, { name: `key ${keys}`, ...options })).key;
}

let keys = 0;
