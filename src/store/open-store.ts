import type { Worker } from "node:worker_threads";
import { MillraceError } from "../errors/error.ts";
import { startThread as startProgramThread } from "../platform/threads.ts";
import { type CommitFollower, createCommitFollower } from "./commit-follower.ts";
import { createDeliveryIndexer, type DeliveryIndexer } from "./delivery-search/delivery-indexer.ts";
import type { CallFailure, CallOutcome } from "./group-commit.ts";
import {
  followsCommits,
  isRead,
  readsListing,
  remotePorts,
  type Store,
  type StoreCall,
  searchesDeliveries,
} from "./store.ts";
import type { FromThread, ThreadOptions, ToThread } from "./thread.ts";

export interface OpenStore extends Store {
  /** Lets what was asked for finish, then closes the database. */
  close(): Promise<void>;
}

export interface StoreEvents {
  /** A thread has ended by itself: nothing can be stored any more. */
  onLost(error: Error): void;
  /** So many writes shared one transaction. */
  onCommit(calls: number): void;
  /** The database could not be written or read just now: the disk is full, or someone else has locked it. */
  onFailure(message: string): void;
  /** The disk is full; the space that was reserved for the store is free now. */
  onDiskFull?(): void;
}

/**
 * Opens the database on threads of its own. One writes, and while it waits for the disk the calls that come in gather into
 * its next transaction; one reads. What agents write is much and must keep no one from a promise: it has a file and a
 * thread to itself. The event loop waits for none of them.
 * @param reserve disk space that is freed when the disk is full
 */
export async function openStore(path: string, events: StoreEvents, reserve?: string): Promise<OpenStore> {
  // All threads start at once. The reader opens what the others have brought up to date; transcripts leave the main
  // database before it forgets them.
  let listing: CommitFollower | undefined;
  let indexer: DeliveryIndexer | undefined;
  const onCommit = (calls: readonly StoreCall[]) => {
    events.onCommit(calls.length);
    if (calls.every(followsCommits)) return;
    listing?.committed();
    indexer?.committed();
  };
  const starting = [
    startThread(
      { path, role: "transcripts" },
      { ...events, onCommit: ({ length }) => events.onCommit(length) },
    ),
    startThread({ path, role: "writer", reserve }, { ...events, onCommit }),
    startThread({ path, role: "reader" }, { ...events, onCommit: () => {} }),
  ] as const;
  const [transcripts, writer, reader] = starting;
  const threadFor = ({ port, method }: StoreCall) => {
    if (isRead(method)) return reader;
    return port === "transcripts" ? transcripts : writer;
  };
  try {
    await transcripts.open();
    await writer.open();
    await reader.open();
  } catch (error) {
    await Promise.all(starting.map((thread) => thread.terminate()));
    throw error;
  }
  const ports = remotePorts((call) => threadFor(call).carry(call));
  listing = createCommitFollower(ports.runs.updateListing);
  indexer = createDeliveryIndexer(ports.deliverySearch);
  const [listed, searched] = [listing, indexer];
  return {
    ...remotePorts(async (call) => {
      // Who has just written something finds it in the list. A store that cannot be written can still be read.
      if (readsListing(call)) await listed.caughtUp().catch(() => {});
      if (searchesDeliveries(call)) await searched.caughtUp().catch(() => {});
      return threadFor(call).carry(call);
    }),
    async close() {
      await listed.stop();
      await searched.stop();
      await reader.close();
      await transcripts.close();
      await writer.close();
    },
  };
}

interface Thread {
  /** @throws MillraceError when the database cannot be opened */
  open(): Promise<void>;
  terminate(): Promise<unknown>;
  carry(call: StoreCall): Promise<unknown>;
  close(): Promise<void>;
}

interface Waiting {
  call: StoreCall;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** One batch larger than this would keep its first callers waiting for its last. */
const MAX_CALLS_PER_BATCH = 512;

/** What a thread reports; each commit with the calls that shared it. */
type ThreadEvents = Omit<StoreEvents, "onCommit"> & { onCommit(calls: readonly StoreCall[]): void };

function startThread(
  options: ThreadOptions,
  { onLost, onCommit, onFailure, onDiskFull }: ThreadEvents,
): Thread {
  const worker = startProgramThread("store", { workerData: options });
  const waiting: Waiting[] = [];
  let inFlight: Waiting[] = [];
  let closing: (() => void) | undefined;
  let gone: Error | undefined;

  function sendNext(): void {
    if (inFlight.length > 0) return;
    if (waiting.length === 0) {
      closing?.();
      return;
    }
    inFlight = waiting.splice(0, MAX_CALLS_PER_BATCH);
    try {
      post(inFlight);
    } catch {
      // One of them cannot travel between threads. It fails alone; the others are sent again without it.
      inFlight = inFlight.filter(travels);
      if (inFlight.length > 0) post(inFlight);
      else sendNext();
    }
  }

  function post(batch: readonly Waiting[]): void {
    worker.postMessage({ calls: batch.map(({ call }) => call) } satisfies ToThread);
  }

  worker.on("message", (message: FromThread) => {
    // Whoever opens it hears why it cannot be. Its end, which may be told in the same breath, is no news.
    if ("failed" in message) closing = () => {};
    if ("full" in message) onDiskFull?.();
    if (!("outcomes" in message)) return;
    const answered = inFlight;
    inFlight = [];
    sendNext();
    onCommit(answered.map(({ call }) => call));
    const failed = message.outcomes.find((outcome) => "failure" in outcome && outcome.failure.storeFailed);
    if (failed && "failure" in failed) onFailure(failed.failure.message);
    for (const [index, caller] of answered.entries()) settle(caller, message.outcomes[index]);
  });
  worker.on("error", (error) => end(error));
  worker.on("exit", () => end(new Error("the store's thread exited")));

  function end(error: Error): void {
    if (gone) return;
    gone = error;
    closing?.();
    for (const caller of [...inFlight, ...waiting.splice(0)]) caller.reject(unavailable(error.message));
    inFlight = [];
    if (!closing) onLost(error);
  }

  return {
    async open() {
      // It may have ended while another was waited for.
      if (gone) throw gone;
      const opened = firstMessage(worker);
      worker.postMessage({ open: true } satisfies ToThread);
      await opened;
    },
    terminate() {
      closing = () => {};
      return worker.terminate();
    },
    carry(call) {
      if (gone || closing) return Promise.reject(unavailable(gone?.message ?? "it is being closed"));
      return new Promise((resolve, reject) => {
        waiting.push({ call, resolve, reject });
        // Whoever calls in this same turn of the event loop shares the transaction.
        if (waiting.length === 1 && inFlight.length === 0) setImmediate(sendNext);
      });
    },
    async close() {
      if (gone) return;
      await new Promise<void>((resolve) => {
        closing = resolve;
        sendNext();
      });
      if (gone) return;
      const exited = new Promise((resolve) => worker.once("exit", resolve));
      worker.postMessage({ close: true } satisfies ToThread);
      await exited;
    },
  };
}

/** Resolves when the thread has opened the database. @throws MillraceError when it could not */
async function firstMessage(worker: Worker): Promise<void> {
  const message = await new Promise<FromThread>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the store's thread exited before the database was open")));
  });
  if (!("failed" in message)) return;
  throw new MillraceError(
    "service_unavailable",
    message.failed,
    message.remedy ? { remedy: message.remedy } : {},
  );
}

/** Whether a call can be sent to a thread; the caller of one that cannot is told. */
function travels({ call, reject }: Waiting): boolean {
  try {
    structuredClone(call);
    return true;
  } catch (error) {
    reject(
      new Error(`${call.port}.${call.method}: its arguments cannot be sent to the store`, { cause: error }),
    );
    return false;
  }
}

function settle(caller: Waiting, outcome: CallOutcome | undefined): void {
  if (!outcome) caller.reject(new Error("the store did not respond"));
  else if ("value" in outcome) caller.resolve(outcome.value);
  else caller.reject(asError(caller.call, outcome.failure));
}

function asError({ port, method }: StoreCall, { message, storeFailed }: CallFailure): Error {
  return storeFailed ? unavailable(message) : new Error(`${port}.${method}: ${message}`);
}

/** What a database says of itself is for the log; who asks learns that it is worth asking again. */
function unavailable(why: string): MillraceError {
  return new MillraceError("service_unavailable", "The store is unavailable.", {
    retryAfter: 5,
    cause: new Error(why),
  });
}
