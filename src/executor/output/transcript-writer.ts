import { serial } from "../../concurrency/shared-work.ts";
import type { EventSize, OutputChunk, OutputPiece } from "../../runs/output/transcript.ts";
import { MAX_EVENT_BYTES, MAX_OUTPUT_BYTES } from "../../runs/turn/turn-door.ts";

/** What happens in a turn, on its way into the store. */
export interface TranscriptWriter {
  /** Adds what a program has written, with no secrets in it. @returns once it is stored, whether more would be kept */
  append(pieces: readonly OutputPiece[]): Promise<boolean>;
  /** Adds a line of millrace's own. */
  note(text: string): void;
  /**
   * Has lines of millrace's own go through somebody who puts them among the pieces, so that all of these have one order; or no
   * more. One that is not taken is added at once.
   */
  divertNotes(sink: NoteSink | undefined): void;
  /** Where it is after all that was added so far. */
  position(): TranscriptPosition;
  /** Resolves when everything is stored. */
  end(): Promise<void>;
}

/** @returns whether it was taken */
export type NoteSink = (at: string, bytes: Uint8Array) => boolean;

/** Where a transcript is: the number of its last piece, and what there is room for, in bytes. */
export interface TranscriptPosition {
  seq: number;
  room: number;
  eventRoom: number;
}

export interface TranscriptOptions {
  /** Stores pieces after those that were stored before. */
  append(chunks: readonly OutputChunk[]): Promise<void>;
  turn: number;
  /** The number of the last piece that the turns before have written. */
  lastSeq: number;
  /** The events of the turns before. */
  earlierEvents?: EventSize;
  /** Where to go on in the middle of a turn. */
  from?: TranscriptPosition | undefined;
  now: () => Date;
  /** Is called once, when the agent has written more than is kept. */
  onFull(): void;
  onError(error: unknown): void;
}

/** Why that ends a turn. */
export const OUTPUT_FULL = `The agent was stopped: its output in one turn exceeded the limit of ${MAX_OUTPUT_BYTES / 1024 / 1024} MiB.`;

/** What an event costs beside its text, in bytes. */
export const EVENT_OVERHEAD = 200;

/** Numbers what is written, and appends it in the order in which it came. */
export function openTranscript(options: TranscriptOptions): TranscriptWriter {
  const { turn, lastSeq, now, onFull, onError } = options;
  const { count, bytes } = options.earlierEvents ?? { count: 0, bytes: 0 };
  let { seq, room, eventRoom } = options.from ?? {
    seq: lastSeq,
    room: MAX_OUTPUT_BYTES,
    eventRoom: MAX_EVENT_BYTES - bytes - count * EVENT_OVERHEAD,
  };
  let divert: NoteSink | undefined;
  const storing = serial();
  /** Bytes that could not be stored, which the next thing that can be tells of. */
  let lost = 0;

  function chunk(stream: OutputChunk["stream"], at: string, bytes: Uint8Array): OutputChunk {
    seq += 1;
    return { seq, turn, stream, at, bytes };
  }

  function noteOf(text: string): OutputChunk {
    return chunk("event", now().toISOString(), noteLine(text));
  }

  /** One chunk for each event, as far as there is room. */
  function eventChunks({ at, bytes }: OutputPiece): OutputChunk[] {
    const events = Buffer.from(bytes).toString("utf8").split("\n").filter(Boolean);
    return events.flatMap((event) => {
      if (eventRoom < 0) return [];
      eventRoom -= Buffer.byteLength(event) + EVENT_OVERHEAD;
      return [chunk("harness", at, Buffer.from(eventRoom < 0 ? EVENTS_FULL : event))];
    });
  }

  async function append(chunks: readonly OutputChunk[]): Promise<void> {
    try {
      await options.append(lost > 0 ? [noteOf(`${lost} bytes could not be stored here`), ...chunks] : chunks);
      lost = 0;
    } catch (error) {
      lost += chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
      onError(error);
    }
  }

  function keep(chunks: readonly OutputChunk[]): Promise<void> {
    return chunks.length > 0 ? storing.run(() => append(chunks)) : storing.ended();
  }

  return {
    async append(pieces) {
      const chunks: OutputChunk[] = [];
      for (const piece of pieces) {
        const { stream, at, bytes } = piece;
        if (stream === "harness") chunks.push(...eventChunks(piece));
        if (stream === "event") chunks.push(chunk(stream, at, bytes));
        if (stream === "harness" || stream === "event") continue;
        if (room < 0) break;
        const fits = bytes.subarray(0, room);
        room -= bytes.length;
        if (fits.length > 0) chunks.push(chunk(stream, at, fits));
        if (room < 0) onFull();
      }
      await keep(chunks);
      return room >= 0;
    },
    note(text) {
      if (divert?.(now().toISOString(), noteLine(text))) return;
      void keep([noteOf(text)]);
    },
    divertNotes(sink) {
      divert = sink;
    },
    position: () => ({ seq, room, eventRoom }),
    async end() {
      await storing.ended();
      // The last that was written may be what is missing.
      if (lost > 0) await keep([noteOf("the output ends here")]);
    },
  };
}

export const noteLine = (text: string) => Buffer.from(`[millrace: ${text}]\n`);

export const EVENTS_FULL = JSON.stringify({
  type: "notice",
  text: `The steps of this run exceeded the limit of ${MAX_EVENT_BYTES / 1024 / 1024} MiB. The text of the transcript has everything.`,
});
