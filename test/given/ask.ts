import { ADMIN_KEY, type Server } from "./server.ts";

/** An answer of the API, whatever its status. */
export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

/** A request to the API with any key. */
export async function ask<Body = Record<string, unknown>>(
  server: Server,
  method: string,
  path: string,
  { key = ADMIN_KEY, body }: { key?: string; body?: unknown } = {},
): Promise<Answer<Body>> {
  const response = await server.fetch(`/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** Makes a key. @returns its value */
export async function aKey(
  server: Server,
  options: { role?: "viewer" | "operator" | "admin"; factories?: string[] },
): Promise<string> {
  const name = `${options.role} ${options.factories ?? ""} ${keys++}`;
  return (await server.api<{ key: string }>("POST", "/api-keys", { name, ...options })).key;
}

let keys = 0;
