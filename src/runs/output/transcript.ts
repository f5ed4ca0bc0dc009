import { serial } from "../../concurrency/serial.ts";
import type { OutputPiece } from "../supervisor/supervisor-messages.ts";

/** A piece of what an agent wrote. */
export interface OutputChunk {
  seq: number;
  turn: number;
  /** `event` is a line of millrace's own. */
  stream: OutputPiece["stream"] | "event";
  at: string;
  bytes: Uint8Array;
}

/** Keeps what agents write. `find` and `list` read, the rest writes. */
export interface TranscriptStore {
  append(runId: string, chunks: readonly OutputChunk[]): Promise<void>;
  /** The next pieces: at most so many, and fewer where they are large; none only when there are none. */
  list(runId: string, afterSeq: number, limit: number): Promise<OutputChunk[]>;
  /** How much a run has written, in bytes. */
  findSize(runId: string): Promise<number>;
  /** The piece in which a byte lies, and where that piece begins. */
  findAt(runId: string, byte: number): Promise<{ seq: number; offset: number }>;
  /** The number of the last piece, 0 when there is none. */
  findLastSeq(runId: string): Promise<number>;
  /** The next runs, by id, of which there is something. */
  listRuns(afterRunId: string, limit: number): Promise<string[]>;
  /** Forgets what these runs wrote, at most so many pieces of it. @returns how many */
  forget(runIds: readonly string[], limit: number): Promise<number>;
}

/** What happens in a turn, on its way into the store. */
export interface TranscriptWriter {
  /** Adds what a program has written, with no secrets in it. @returns once it is stored, whether more would be kept */
  append(pieces: readonly OutputPiece[]): Promise<boolean>;
  /** Adds a line of millrace's own. */
  note(text: string): void;
  /** Resolves when everything is stored. */
  end(): Promise<void>;
}

export interface TranscriptOptions {
  store: Pick<TranscriptStore, "append">;
  runId: string;
  turn: number;
  /** The number of the last piece that the turns before have written. */
  lastSeq: number;
  now: () => Date;
  /** Is called once, when the agent has written more than is kept. */
  onFull(): void;
  onError(error: unknown): void;
}

/** An agent that writes without end must fill neither the disk nor the reader: a turn ends when it has written more. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Numbers what is written, and appends it in the order in which it came. */
export function openTranscript(options: TranscriptOptions): TranscriptWriter {
  const { store, runId, turn, lastSeq, now, onFull, onError } = options;
  let room = MAX_OUTPUT_BYTES;
  let seq = lastSeq;
  const storing = serial();
  /** Bytes that could not be stored, which the next thing that can be tells of. */
  let lost = 0;

  function chunk(stream: OutputChunk["stream"], at: string, bytes: Uint8Array): OutputChunk {
    seq += 1;
    return { seq, turn, stream, at, bytes };
  }

  function noteOf(text: string): OutputChunk {
    return chunk("event", now().toISOString(), Buffer.from(`[millrace: ${text}]\n`));
  }

  async function append(chunks: readonly OutputChunk[]): Promise<void> {
    try {
      await store.append(
        runId,
        lost > 0 ? [noteOf(`${lost} bytes could not be stored here`), ...chunks] : chunks,
      );
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
      for (const { stream, at, bytes } of pieces) {
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
      void keep([noteOf(text)]);
    },
    async end() {
      await storing.ended();
      // The last that was written may be what is missing.
      if (lost > 0) await keep([noteOf("the output ends here")]);
    },
  };
}
