import type { OutputPiece } from "./supervisor-messages.ts";

/** How long output gathers before it is sent: it appears at once to a reader, and a chatty program costs little. */
const GATHER_MS = 50;
const GATHER_BYTES = 256 * 1024;
/** A second stretch is read while the first is being kept. */
const MAX_OPEN_BYTES = 2 * GATHER_BYTES;

type Stream = OutputPiece["stream"];

/** Output on its way to the server. */
export interface Gathering {
  add(stream: Stream, bytes: Buffer): void;
  /** Sends what is gathered before long, also when that is nothing. */
  soon(): void;
  /** Sends it now. */
  flush(): void;
  /** Says that so many of the bytes that were sent are kept. */
  kept(bytes: number): void;
  /** Whether so much is sent or gathered, and not kept, that no more should be read. */
  isBehind(): boolean;
}

/** Sends pieces in the order in which they come, some at a time; what comes from one stream in a row is one piece. */
export function gatherPieces(send: (pieces: OutputPiece[]) => void): Gathering {
  let gathered: { stream: Stream; at: string; parts: Buffer[] }[] = [];
  let gatheredBytes = 0;
  /** Sent or gathered, and not yet kept. */
  let openBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const pieces = gathered.map(({ parts, ...piece }) => ({ ...piece, bytes: Buffer.concat(parts) }));
    gathered = [];
    gatheredBytes = 0;
    send(pieces);
  }

  function soon(): void {
    timer ??= setTimeout(flush, GATHER_MS);
  }

  return {
    flush,
    soon,
    add(stream: Stream, bytes: Buffer): void {
      if (bytes.length === 0) return;
      const last = gathered.at(-1);
      if (last?.stream === stream) last.parts.push(bytes);
      else gathered.push({ stream, at: new Date().toISOString(), parts: [bytes] });
      gatheredBytes += bytes.length;
      openBytes += bytes.length;
      if (gatheredBytes >= GATHER_BYTES) flush();
      else soon();
    },
    kept(bytes: number): void {
      openBytes -= bytes;
    },
    isBehind: () => openBytes > MAX_OPEN_BYTES,
  };
}
