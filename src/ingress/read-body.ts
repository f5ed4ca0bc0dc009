import type { IncomingMessage } from "node:http";

/** 256 KB, in the sense of the public service: 262,144 bytes. */
export const LARGEST_BODY_BYTES = 256 * 1024;

/** The body as its bytes came, or how much of it was seen when it proved too large. */
export type Body = { bytes: Buffer } | { tooLarge: number };

/** Reads a body up to the limit. Rejects when the sender goes away before the end. */
export function readBody(request: IncomingMessage, limit = LARGEST_BODY_BYTES): Promise<Body> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limit) return Promise.resolve({ tooLarge: announced });
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        chunks.length = 0;
        resolve({ tooLarge: size });
      } else chunks.push(chunk);
    });
    request.on("end", () => resolve({ bytes: Buffer.concat(chunks, size) }));
    request.on("aborted", () => reject(new Error("the sender went away")));
    request.on("error", reject);
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The value that a body holds as JSON (RFC 8259: UTF-8 without a byte order mark), or nothing when it is not JSON. */
export function parseJson(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return undefined;
  }
}
