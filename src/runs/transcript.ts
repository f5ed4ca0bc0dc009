import { createMasking } from "./mask.ts";
import type { OutputChunk, RunStore } from "./run.ts";
import { wholeLength } from "./whole-characters.ts";

/** Where an agent writes. */
export type AgentStream = "stdout" | "stderr";

/** What an agent writes, on its way into the store. */
export interface TranscriptWriter {
  /** @returns when the store is behind: what resolves once it has caught up, for which the writer should wait */
  write(stream: AgentStream, bytes: Buffer): Promise<void> | undefined;
  /** Adds a line of millrace's own. */
  note(text: string): void;
  /** Resolves when everything is stored. */
  end(): Promise<void>;
}

export interface TranscriptOptions {
  store: Pick<RunStore, "appendOutput">;
  runId: string;
  turn: number;
  /** The number of the last piece that the turns before have written. */
  lastSeq: number;
  /** Values that must not be shown. */
  secrets: readonly string[];
  now: () => Date;
  /** Is called once, when the agent has written more than is kept. */
  onFull(): void;
  onError(error: unknown): void;
}

/** How long output gathers before it is stored: it appears at once to a reader, and a chatty agent costs few writes. */
const GATHER_MS = 50;
const GATHER_BYTES = 256 * 1024;
/** An agent that writes without end must fill neither the disk nor the reader: a turn ends when it has written more. */
export const LARGEST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Gathers output into chunks, masks secrets, and appends the chunks in the order in which they came. */
export function openTranscript({
  store,
  runId,
  turn,
  lastSeq,
  secrets,
  now,
  onFull,
  onError,
}: TranscriptOptions): TranscriptWriter {
  // The beginning of a character waits for its end: a reader may come back between any two chunks.
  const begun: Record<AgentStream, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  const createMasker = createMasking(secrets);
  const maskers = { stdout: createMasker(), stderr: createMasker() };
  let gathered: OutputChunk[] = [];
  let gatheredBytes = 0;
  let unstoredBytes = 0;
  let room = LARGEST_OUTPUT_BYTES;
  let seq = lastSeq;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  function add(stream: AgentStream, bytes: Buffer): void {
    if (bytes.length === 0 || room < 0) return;
    const kept = bytes.subarray(0, room);
    room -= bytes.length;
    if (kept.length > 0) gather(stream, kept);
    if (room < 0) onFull();
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

  function addWhole(stream: AgentStream, masked: Buffer): void {
    const bytes = Buffer.concat([begun[stream], masked]);
    const length = wholeLength(bytes);
    begun[stream] = bytes.subarray(length);
    add(stream, bytes.subarray(0, length));
  }

  function addLast(stream: AgentStream): void {
    add(stream, Buffer.concat([begun[stream], maskers[stream].end()]));
  }

  return {
    write(stream, bytes) {
      // Nobody reads it: what comes until the agent is gone is not worth looking for secrets in.
      if (room < 0) return undefined;
      addWhole(stream, maskers[stream].push(bytes));
      return unstoredBytes > GATHER_BYTES ? storing : undefined;
    },
    note(text) {
      gather("event", Buffer.from(`[millrace: ${text}]\n`));
    },
    async end() {
      addLast("stdout");
      addLast("stderr");
      flush();
      await storing;
    },
  };
}
