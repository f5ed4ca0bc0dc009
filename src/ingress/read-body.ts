import type { IncomingMessage } from "node:http";

/** 256 KB, in the sense of the public service: 262,144 bytes. */
export const LARGEST_BODY_BYTES = 256 * 1024;

/** A sender has this long for its whole body (interface, section 3). */
const BODY_TIMEOUT_MS = 30_000;

/** A body as its bytes came. */
export interface DeliveryBody {
  bytes: Buffer;
  /** Its value as JSON, or nothing when it is not JSON; parsed when it is first asked for. */
  json(): { value: unknown } | undefined;
}

/** Reads a body up to the limit, or tells how much of it was seen. Rejects when the sender goes away before the end. */
export function readBody(
  request: IncomingMessage,
  limit = LARGEST_BODY_BYTES,
): Promise<DeliveryBody | { tooLarge: number }> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limit) return Promise.resolve({ tooLarge: announced });
  const late = setTimeout(() => request.destroy(), BODY_TIMEOUT_MS);
  return new Promise<DeliveryBody | { tooLarge: number }>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        chunks.length = 0;
        resolve({ tooLarge: size });
      } else chunks.push(chunk);
    });
    request.on("end", () => resolve(bodyOf(joined(chunks, size))));
    request.on("aborted", () => reject(new SenderGone()));
    request.on("error", () => reject(new SenderGone()));
  }).finally(() => clearTimeout(late));
}

/**
 * The bytes in memory of exactly their own. What the socket hands out are views into larger blocks, and whoever sends a
 * view to another thread sends its whole block.
 */
function joined(chunks: readonly Buffer[], size: number): Buffer {
  const bytes = Buffer.from(new ArrayBuffer(size));
  let offset = 0;
  for (const chunk of chunks) offset += chunk.copy(bytes, offset);
  return bytes;
}

/** There is nobody left to answer. */
export class SenderGone extends Error {
  constructor() {
    super("the sender went away before its body had come");
    this.name = "SenderGone";
  }
}

export function bodyOf(bytes: Buffer): DeliveryBody {
  let parsed: { json: { value: unknown } | undefined } | undefined;
  return {
    bytes,
    json() {
      parsed ??= { json: parseJson(bytes) };
      return parsed.json;
    },
  };
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
