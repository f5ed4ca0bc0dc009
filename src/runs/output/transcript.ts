import { serial } from "../../concurrency/serial.ts";
import type { OutputPiece } from "../supervisor/supervisor-messages.ts";

/** A piece of what an agent wrote. */
export interface OutputChunk {
  seq: number;
  turn: number;
  /** `event` is a line of millrace's own, and `harness` an event of the agent's program, as JSON. */
  stream: OutputPiece["stream"] | "event";
  at: string;
  bytes: Uint8Array;
}

/** Events of a run, by their number and their bytes. */
export interface EventSize {
  count: number;
  bytes: number;
}

/** What is read of an output: its text, the events of the agent's program, or both in their order. */
export type OutputPart = "text" | "events" | "all";

/** Keeps what agents write. `find` and `list` read, the rest writes. Sizes and places are those of the text. */
export interface TranscriptStore {
  append(runId: string, chunks: readonly OutputChunk[]): Promise<void>;
  /** The next pieces: at most so many, and fewer where they are large; none only when there are none. */
  list(runId: string, afterSeq: number, limit: number, part?: OutputPart): Promise<OutputChunk[]>;
  /** How much a run has written, in bytes. */
  findSize(runId: string): Promise<number>;
  /** How many events of its agent's program there are, and what they come to in bytes. */
  findEventSize(runId: string): Promise<EventSize>;
  /** The piece in which a byte lies, and where that piece begins. */
  findAt(runId: string, byte: number): Promise<{ seq: number; offset: number }>;
  /** The number of the last piece, 0 when there is none. */
  findLastSeq(runId: string): Promise<number>;
  /** The same of several runs that have pieces. */
  listLastSeqs(runIds: readonly string[]): Promise<Record<string, number>>;
  /** The next runs, by id, of which there is something. */
  listRuns(afterRunId: string, limit: number): Promise<string[]>;
  /** Forgets what these runs wrote, at most so many pieces of it. @returns how many */
  forget(runIds: readonly string[], limit: number): Promise<number>;
}

/** Remembers where output ended that is kept no more. */
export interface OutputEndStore {
  /** Remembers the numbers of the last pieces of output, which are about to be forgotten, of the runs that there are. */
  keepOutputEnds(seqs: Readonly<Record<string, number>>): Promise<void>;
  /** The number of the last piece of a run's output that was forgotten, 0 when none was. */
  findOutputEnd(id: string): Promise<number>;
}

/**
 * The number after which the output of a further turn goes on. What was forgotten counts too; it is noted before it is
 * forgotten, so it is looked for afterwards.
 */
export async function findLastOutput(
  runId: string,
  { transcripts, store }: { transcripts: Pick<TranscriptStore, "findLastSeq">; store: OutputEndStore },
): Promise<number> {
  return Math.max(...(await Promise.all([transcripts.findLastSeq(runId), store.findOutputEnd(runId)])));
}

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

/** An agent that writes without end must fill neither the disk nor the reader: a turn ends when it has written more. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Why that ends a turn. */
export const OUTPUT_FULL = `The agent was stopped: its output in one turn exceeded the limit of ${MAX_OUTPUT_BYTES / 1024 / 1024} MiB.`;

/** The events of a run beside its text; once they come to more, only the text goes on. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024;
/** What an event costs beside its text, in bytes. */
const EVENT_OVERHEAD = 200;

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

const noteLine = (text: string) => Buffer.from(`[millrace: ${text}]\n`);

const EVENTS_FULL = JSON.stringify({
  type: "notice",
  text: `The steps of this run exceeded the limit of ${MAX_EVENT_BYTES / 1024 / 1024} MiB. The text of the transcript has everything.`,
});
