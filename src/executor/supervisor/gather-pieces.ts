import type { OutputPiece } from "../../runs/output/transcript.ts";

/** How long output gathers before it is sent: it appears at once to a reader, and a chatty program costs little. */
const GATHER_MS = 50;
const GATHER_BYTES = 256 * 1024;

type Stream = OutputPiece["stream"];

/** Output that gathers before it goes out. */
export interface Gathering {
  /** @param at when it was written; now where it is left out */
  add(stream: Stream, bytes: Buffer, at?: string): void;
  /** Passes on what is gathered before long, also when that is nothing. */
  soon(): void;
  /** Passes it on now. */
  flush(): void;
}

/** Passes pieces on in the order in which they come, some at a time; what comes from one stream in a row is one piece. */
export function gatherPieces(passOn: (pieces: OutputPiece[]) => void): Gathering {
  let gathered: { stream: Stream; at: string; parts: Buffer[] }[] = [];
  let gatheredBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const pieces = gathered.map(({ parts, ...piece }) => ({ ...piece, bytes: Buffer.concat(parts) }));
    gathered = [];
    gatheredBytes = 0;
    passOn(pieces);
  }

  function soon(): void {
    timer ??= setTimeout(flush, GATHER_MS);
  }

  return {
    flush,
    soon,
    add(stream, bytes, at = new Date().toISOString()): void {
      if (bytes.length === 0) return;
      const last = gathered.at(-1);
      // Each line of the executor's own has its own time.
      if (last?.stream === stream && stream !== "event") last.parts.push(bytes);
      else gathered.push({ stream, at, parts: [bytes] });
      gatheredBytes += bytes.length;
      if (gatheredBytes >= GATHER_BYTES) flush();
      else soon();
    },
  };
}
