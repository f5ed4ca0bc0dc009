import { createMasker } from "./mask.ts";
import type { OutputChunk, RunStore } from "./run.ts";

/** What an agent writes, on its way into the store. */
export interface TranscriptWriter {
  write(stream: OutputChunk["stream"], bytes: Buffer): void;
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

/** Gathers output into chunks, masks secrets, and appends the chunks in the order in which they came. */
export function openTranscript({
  store,
  runId,
  turn,
  secrets,
  now,
  onError,
}: TranscriptOptions): TranscriptWriter {
  const maskers = { stdout: createMasker(secrets), stderr: createMasker(secrets) };
  let gathered: OutputChunk[] = [];
  let gatheredBytes = 0;
  let seq = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  function add(stream: OutputChunk["stream"], bytes: Buffer): void {
    if (bytes.length === 0) return;
    seq += 1;
    gathered.push({ seq, turn, stream, at: now().toISOString(), bytes });
    gatheredBytes += bytes.length;
    if (gatheredBytes >= GATHER_BYTES) flush();
    else timer ??= setTimeout(flush, GATHER_MS);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.length === 0) return;
    const chunks = gathered;
    gathered = [];
    gatheredBytes = 0;
    storing = storing.then(() => store.appendOutput(runId, chunks)).catch(onError);
  }

  return {
    write: (stream, bytes) => add(stream, maskers[stream].push(bytes)),
    async end() {
      add("stdout", maskers.stdout.end());
      add("stderr", maskers.stderr.end());
      flush();
      await storing;
    },
  };
}
