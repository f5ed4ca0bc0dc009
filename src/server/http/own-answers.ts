import type { IncomingMessage, RequestListener } from "node:http";

/**
 * Refuses what Node would refuse by itself: HTTP/1.1 without a `Host` (RFC 9112, 3.2), and expectations that nobody knows
 * (RFC 9110, 10.1.1). Node holds its own answers behind one that is still open, as many as a client sends ahead, megabytes in one
 * read; here they wait in turn, and are counted, as all requests are.
 */
export function refuseMalformed(handler: RequestListener): RequestListener {
  return (request, response) => {
    const status = refusalOf(request);
    if (status === undefined) {
      handler(request, response);
      return;
    }
    response.writeHead(status, { connection: "close", "content-length": 0 });
    response.end();
  };
}

function refusalOf({ httpVersion, headers }: IncomingMessage): 400 | 417 | undefined {
  if (httpVersion !== "1.1") return undefined;
  if (headers.host === undefined) return 400;
  // Node has answered this one with 100, and hands it over.
  if (headers.expect === undefined || /\b100-continue\b/i.test(headers.expect)) return undefined;
  return 417;
}
