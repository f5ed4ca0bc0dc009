import { createMasking } from "./mask.ts";
import type { OutputChunk, RunStore } from "./run.ts";
import { wholeLength } from "./whole-characters.ts";

/** What an agent writes, on its way into the store. */
export interface TranscriptWriter {
  /** @returns when the store is behind: what resolves once it has caught up, for which the writer should wait */
  write(stream: OutputChunk["stream"], bytes: Buffer): Promise<void> | undefined;
  /** Resolves when everything is stored. */
  end(): Promise<void>;
}

export interface TranscriptOptions {
  store: Pick<RunStore, "appendOutput">;
  runId: string;
  turn: number;
  /** Values that must not be shown. */
  secrets: readonly string[];
  now: () => Date;
  onError(error: unknown): void;
}

/** How long output gathers before it is stored: it appears at once to a reader, and a chatty agent costs few writes. */
const GATHER_MS = 50;
const GATHER_BYTES = 256 * 1024;
/** An agent that writes without end must fill neither the disk nor the reader; nobody reads on after this much. */
export const LARGEST_TRANSCRIPT_BYTES = 64 * 1024 * 1024;
const DROPPED = `\n[millrace: the transcript is full (${LARGEST_TRANSCRIPT_BYTES / 1024 / 1024} MiB); what the agent wrote after this was dropped]\n`;

/** Gathers output into chunks, masks secrets, and appends the chunks in the order in which they came. */
export function openTranscript({
  store,
  runId,
  turn,
  secrets,
  now,
  onError,
}: TranscriptOptions): TranscriptWriter {
  // The beginning of a character waits for its end: a reader may come back between any two chunks.
  const begun: Record<OutputChunk["stream"], Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  const createMasker = createMasking(secrets);
  const maskers = { stdout: createMasker(), stderr: createMasker() };
  let gathered: OutputChunk[] = [];
  let gatheredBytes = 0;
  let unstoredBytes = 0;
  let room = LARGEST_TRANSCRIPT_BYTES;
  let seq = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  function add(stream: OutputChunk["stream"], bytes: Buffer): void {
    if (bytes.length === 0 || room === 0) return;
    const kept = bytes.subarray(0, room);
    room -= kept.length;
    gather(stream, kept);
    if (room === 0) gather("stderr", Buffer.from(DROPPED));
  }

  function gather(stream: OutputChunk["stream"], bytes: Buffer): void {
    seq += 1;
    gathered.push({ seq, turn, stream, at: now().toISOString(), bytes });
    gatheredBytes += bytes.length;
    unstoredBytes += bytes.length;
    if (gatheredBytes >= GATHER_BYTES) flush();
    else timer ??= setTimeout(flush, GATHER_MS);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.length === 0) return;
    const chunks = gathered;
    const size = gatheredBytes;
    gathered = [];
    gatheredBytes = 0;
    storing = storing
      .then(() => store.appendOutput(runId, chunks))
      .catch(onError)
      .finally(() => {
        unstoredBytes -= size;
      });
  }

  function addWhole(stream: OutputChunk["stream"], masked: Buffer): void {
    const bytes = Buffer.concat([begun[stream], masked]);
    const length = wholeLength(bytes);
    begun[stream] = bytes.subarray(length);
    add(stream, bytes.subarray(0, length));
  }

  function addLast(stream: OutputChunk["stream"]): void {
    add(stream, Buffer.concat([begun[stream], maskers[stream].end()]));
  }

  return {
    write(stream, bytes) {
      // Nobody reads it: an agent that writes a thousand times as much is not worth looking for secrets in.
      if (room === 0) return undefined;
      addWhole(stream, maskers[stream].push(bytes));
      return unstoredBytes > GATHER_BYTES ? storing : undefined;
    },
    async end() {
      addLast("stdout");
      addLast("stderr");
      flush();
      await storing;
    },
  };
}
