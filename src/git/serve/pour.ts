import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** How slow a reader may be. */
export interface ReaderLimits {
  /** How long it may take nothing at all, and how far it may fall behind in the whole. */
  patienceMs: number;
  /** The rate that it has to keep up with while something is there for it. */
  leastBytesPerSecond: number;
}

/** A reader took less than it has to. */
export class SlowReader extends Error {
  constructor() {
    super("the reader of a clone was too slow");
    this.name = "SlowReader";
  }
}

/**
 * Hands over what a process writes, no faster than it is read. The time that the process itself needs does not count against
 * the reader.
 * @param open called with the first piece, so that a failure before it can still be answered as one
 * @returns what was opened; nothing when the process wrote nothing
 */
export async function pour(
  source: Readable,
  open: () => Writable,
  { patienceMs, leastBytesPerSecond }: ReaderLimits,
  signal: AbortSignal,
): Promise<Writable | undefined> {
  let sink: Writable | undefined;
  let sent = 0;
  let waitedMs = 0;
  for await (const piece of source as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    sink ??= open();
    sent += piece.length;
    if (sink.write(piece)) continue;
    const credit = patienceMs + (sent / leastBytesPerSecond) * 1_000 - waitedMs;
    const began = performance.now();
    await drained(sink, Math.min(patienceMs, Math.max(1, credit)), signal);
    waitedMs += performance.now() - began;
  }
  return sink;
}

async function drained(sink: Writable, milliseconds: number, signal: AbortSignal): Promise<void> {
  const slow = new AbortController();
  const timer = setTimeout(() => slow.abort(), milliseconds);
  try {
    await once(sink, "drain", { signal: AbortSignal.any([signal, slow.signal]) });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw slow.signal.aborted ? new SlowReader() : error;
  } finally {
    clearTimeout(timer);
  }
}
