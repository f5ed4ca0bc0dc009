import type { IncomingMessage } from "node:http";

/** What is said to the next hop alone (RFC 9110 section 7.6.1), and how a request came here. */
const OF_ONE_HOP: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "forwarded",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-real-ip",
  // No name of a header that anybody sends, and no property of an object that may be set.
  "__proto__",
]);

/** The headers of a message that are passed on, each with all its values. How long its body is, is not among them. */
export function forwardedHeaders({ rawHeaders, headers }: IncomingMessage): Record<string, string[]> {
  const left = new Set([...OF_ONE_HOP, ...namedIn(headers.connection), "content-length"]);
  const passed = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (!left.has(name)) passed.set(name, [...(passed.get(name) ?? []), rawHeaders[index + 1] ?? ""]);
  }
  return Object.fromEntries(passed);
}

/**
 * The one header that says where the body of a message ends, whatever other headers say of it: without it, a body would be read as
 * another message. Nothing for a message without a body.
 */
export function framingOf({ headers }: IncomingMessage): Record<string, string> {
  if (headers["transfer-encoding"] !== undefined) return { "transfer-encoding": "chunked" };
  const length = headers["content-length"];
  return length === undefined ? {} : { "content-length": length };
}

function namedIn(connection = ""): string[] {
  return connection
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
}
