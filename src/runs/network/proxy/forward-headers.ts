import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

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
]);

/** The headers of a message that are passed on, each with all its values. */
export function forwardedHeaders({ headers, headersDistinct }: IncomingMessage): Record<string, string[]> {
  const named = namedByConnection(headers);
  return Object.fromEntries(
    Object.entries(headersDistinct).filter(
      (entry): entry is [string, string[]] =>
        entry[1] !== undefined && !OF_ONE_HOP.has(entry[0]) && !named.has(entry[0]),
    ),
  );
}

/** A body whose length nobody has named. */
export function isChunked({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined;
}

function namedByConnection({ connection = "" }: IncomingHttpHeaders): Set<string> {
  return new Set(
    connection
      .toLowerCase()
      .split(",")
      .map((name) => name.trim()),
  );
}
