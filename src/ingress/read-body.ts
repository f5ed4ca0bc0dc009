import type { IncomingMessage } from "node:http";
import { LARGEST_BODY_BYTES } from "./delivery.ts";
import { noRoom } from "./refusal.ts";

/** A sender has this long for its whole body (docs/webhooks.md). */
const BODY_TIMEOUT_MS = 30_000;

/** A body as its bytes came. */
export interface DeliveryBody {
  bytes: Buffer;
  /** Its value as JSON, or nothing when it is not JSON; parsed when it is first asked for. */
  json(): { value: unknown } | undefined;
}

/** Reads the body of a request up to the limit, or tells how much of it was seen. */
export type ReadBody = (request: IncomingMessage) => Promise<DeliveryBody | { tooLarge: number }>;

/**
 * Makes a reader of bodies that holds so many bytes at once, of all senders together: a body is read before its
 * signature can be looked at, so anybody may start one.
 * It rejects with `SenderGone` when the sender goes away or takes too long, and with a Refusal when there is no room.
 */
export function bodyReader(mostHeld = MOST_HELD_BYTES, limit = LARGEST_BODY_BYTES): ReadBody {
  let held = 0;
  return (request) => {
    const announced = announcedBytes(request);
    if (announced > limit) return Promise.resolve({ tooLarge: announced });
    const late = setTimeout(() => request.destroy(), BODY_TIMEOUT_MS);
    const gathered = new Gathered(Math.min(announced, FIRST_BYTES));
    return new Promise<DeliveryBody | { tooLarge: number }>((resolve, reject) => {
      request.on("data", (chunk: Buffer) => {
        if (gathered.size + chunk.length > limit) resolve({ tooLarge: gathered.size + chunk.length });
        else if (held + chunk.length > mostHeld) reject(noRoom());
        else {
          gathered.add(chunk);
          held += chunk.length;
        }
      });
      request.on("end", () => resolve(bodyOf(gathered.bytes())));
      request.on("aborted", () => reject(new SenderGone()));
      request.on("error", () => reject(new SenderGone()));
    }).finally(() => {
      clearTimeout(late);
      request.removeAllListeners("data");
      held -= gathered.size;
    });
  };
}

/** Of what arrives, for all senders together. Blocks grow by doubling, so it can take twice as much memory. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;
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
class Gathered {
  size = 0;
  #block: Buffer;

  constructor(capacity: number) {
    this.#block = Buffer.from(new ArrayBuffer(capacity));
  }

  add(chunk: Buffer): void {
    const needed = this.size + chunk.length;
    if (needed > this.#block.length) {
      const grown = Buffer.from(new ArrayBuffer(Math.max(needed, 2 * this.#block.length)));
      this.#block.copy(grown, 0, 0, this.size);
      this.#block = grown;
    }
    chunk.copy(this.#block, this.size);
    this.size = needed;
  }

  bytes(): Buffer {
    if (this.size === this.#block.length) return this.#block;
    return Buffer.from(this.#block.buffer.slice(0, this.size));
  }
}

/** There is nobody left to answer. */
export class SenderGone extends Error {
  constructor() {
    super("the sender went away before its body had come");
    this.name = "SenderGone";
  }
}

/** A body that is there as a whole. */
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
