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

/** A stretch of what a program wrote, masked, with whole characters only. */
export interface OutputPiece {
  /**
   * `harness` has what the program's events tell of its work: each a `HarnessEvent` as JSON on a line of its own. `event` is a
   * line of the executor's own, which has its place among the others.
   */
  stream: "stdout" | "stderr" | "harness" | "event";
  /** When it was read. */
  at: string;
  bytes: Uint8Array;
}
