import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { MillraceError } from "../../errors/error.ts";

/** The body of a request as it came. */
export interface PackedBody {
  bytes: Buffer;
  isZipped: boolean;
}

/**
 * The body of a request as git reads it. Its stream fails with a MillraceError when it is damaged, or larger than it may be:
 * a few kilobytes can unpack to gigabytes.
 */
export function unpackedBody({ bytes, isZipped }: PackedBody, mostBytes: number): Readable {
  const packed = Readable.from(pieces(bytes), { objectMode: false });
  return Readable.from(limited(isZipped ? packed.pipe(createGunzip()) : packed, mostBytes));
}

async function* limited(source: AsyncIterable<Buffer>, mostBytes: number): AsyncIterable<Buffer> {
  let left = mostBytes;
  try {
    for await (const piece of source) {
      left -= piece.length;
      if (left < 0) throw tooLarge(mostBytes);
      yield piece;
    }
  } catch (error) {
    throw error instanceof MillraceError ? error : damaged();
  }
}

/** In one piece, a body would be whole in the buffer of each step. */
const PIECE_BYTES = 64 * 1024;

function* pieces(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

function tooLarge(mostBytes: number): MillraceError {
  return new MillraceError(
    "payload_too_large",
    `The git request unpacks to more than ${mostBytes} bytes: fetch fewer branches in one request.`,
  );
}

function damaged(): MillraceError {
  return new MillraceError("invalid_request", "The body of the git request is not valid gzip data.");
}
