import type { IncomingMessage } from "node:http";
import { MillraceError } from "../errors/error.ts";
import type { BodyRoom, BodyShare } from "./body-room.ts";
import { rememberBody } from "./sent-numbers.ts";

/** A sender has this long for its whole body (docs/webhooks.md). */
const BODY_TIMEOUT_MS = 30_000;

/** A body as its bytes came. */
export interface RequestBody {
  bytes: Buffer;
  /** Its value as JSON, or nothing when it is not JSON; parsed when it is first asked for. */
  json(): { value: unknown } | undefined;
}

/** Reads the body of a request up to the limit, or tells how much of it was seen. */
export type ReadBody = (request: IncomingMessage) => Promise<RequestBody | { tooLarge: number }>;

export interface BodyReaderOptions {
  /** What the bodies take up while they are on their way. */
  room: BodyRoom;
  /** Bytes. */
  limit: number;
}

/**
 * Makes a reader of bodies, which keeps to the room that there is: a body is read before its signature can be looked at, so
 * anybody may start one.
 * It rejects with `SenderGone` when the sender goes away or takes too long, and with `Overloaded` when there is no room.
 */
export function bodyReader({ room, limit }: BodyReaderOptions): ReadBody {
  return (request) => {
    const announced = announcedBytes(request);
    if (announced > limit) return Promise.resolve({ tooLarge: announced });
    // Its sender may have gone while its key was looked up; then no event follows.
    if (request.destroyed) return Promise.reject(new SenderGone());
    const share = room.enter();
    if (!share) return Promise.reject(new Overloaded());
    const late = setTimeout(() => request.destroy(), BODY_TIMEOUT_MS);
    const gathered = new BodyBuffer(share);
    return new Promise<RequestBody | { tooLarge: number }>((resolve, reject) => {
      request.on("data", (chunk: Buffer) => {
        if (gathered.size + chunk.length > limit) resolve({ tooLarge: gathered.size + chunk.length });
        else if (!gathered.add(chunk, announced > 0 ? announced : limit)) reject(new Overloaded());
      });
      request.on("end", () => resolve(bodyOf(gathered.bytes())));
      request.on("aborted", () => reject(new SenderGone()));
      request.on("error", () => reject(new SenderGone()));
    }).finally(() => {
      clearTimeout(late);
      request.removeAllListeners("data");
      share.leave();
    });
  };
}

/** A block is not made as large as a sender announces before anything has come. */
const FIRST_BYTES = 16 * 1024;

/** What the sender says that its body holds; 0 where it says nothing. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

/**
 * The bytes of a body in one block of their own that grows with them. The pieces that a socket hands out are views into
 * larger blocks: many small ones would hold many times what they carry, and whoever sends one to another thread sends its
 * whole block.
 */
class BodyBuffer {
  size = 0;
  #block: Buffer = Buffer.from(new ArrayBuffer(0));
  readonly #share: BodyShare;

  constructor(share: BodyShare) {
    this.#share = share;
  }

  /**
   * What counts is the block, and not what has come of the body.
   * @param expected how large the whole may become, as far as is known
   * @returns whether there was room for it
   */
  add(chunk: Buffer, expected: number): boolean {
    const needed = this.size + chunk.length;
    if (needed > this.#block.length && !this.#grow(needed, expected)) return false;
    chunk.copy(this.#block, this.size);
    this.size = needed;
    return true;
  }

  #grow(needed: number, expected: number): boolean {
    const first = Math.min(expected, FIRST_BYTES);
    const doubled = Math.min(2 * this.#block.length, Math.max(expected, needed));
    const size = Math.max(needed, first, doubled);
    if (!this.#share.take(size - this.#block.length)) return false;
    const grown = Buffer.from(new ArrayBuffer(size));
    this.#block.copy(grown, 0, 0, this.size);
    this.#block = grown;
    return true;
  }

  bytes(): Buffer {
    if (this.size === this.#block.length) return this.#block;
    return Buffer.from(this.#block.buffer.slice(0, this.size));
  }
}

/** There is nobody left to answer. */
export class SenderGone extends Error {
  constructor() {
    super("the sender disconnected before sending the whole body");
    this.name = "SenderGone";
  }
}

/** So many bodies are on their way in that there is no memory for another. */
export class Overloaded extends MillraceError {
  constructor() {
    super("service_unavailable", "The server is overloaded; retry shortly.", { retryAfter: 1 });
    this.name = "Overloaded";
  }
}

/** A body that is there as a whole. */
export function bodyOf(bytes: Buffer): RequestBody {
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
    const value: unknown = JSON.parse(utf8.decode(bytes));
    rememberBody(value, bytes);
    return { value };
  } catch {
    return undefined;
  }
}
