import { get, type IncomingHttpHeaders } from "node:http";

/** An answer as it came over the wire: not decoded. */
export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Asks for a path as it is written, with these headers. */
export function rawRequest(url: string, headers: Record<string, string>): Promise<RawResponse> {
  const { origin, port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path: url.slice(origin.length), headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    }).on("error", reject);
  });
}
