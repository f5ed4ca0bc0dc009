import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Worker } from "node:worker_threads";
import { MillraceError } from "../errors/error.ts";
import { startThread as startProgramThread } from "../platform/threads.ts";
import { followCommits } from "./follow-commits.ts";
import { gatherCalls } from "./gather-calls.ts";
import type { CallOutcome } from "./group-commit.ts";
import { freeReserve, isDiskFull } from "./sqlite/disk-reserve.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import type { Store } from "./store.ts";
import { isRead, type StoreCall } from "./store-call.ts";
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
  // To open a database takes space too, and the reserve is for the store.
  if (reserve !== undefined && isDiskFull(dirname(reserve))) freeReserve(reserve);
  // Before anything else is in the folder: a start that is ended early looks like none, and not like a store that was lost.
  if (!existsSync(path)) openSqlite(path).close();
  // All threads start at once. The reader opens what the others have brought up to date; transcripts leave the main
  // database before it forgets them.
  const following = followCommits((call) => threadFor(call).carry(call));
  const onCommit = (calls: readonly StoreCall[]) => {
    events.onCommit(calls.length);
    following.committed(calls);
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
  return {
    ...following.begin(),
    async close() {
      await following.stop();
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

/** What a thread reports; each commit with the calls that shared it. */
type ThreadEvents = Omit<StoreEvents, "onCommit"> & { onCommit(calls: readonly StoreCall[]): void };

/** What a thread makes of a batch is soon of no use: a young generation of V8's default size would hold 30 MB of it. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 8 };

function startThread(
  options: ThreadOptions,
  { onLost, onCommit, onFailure, onDiskFull }: ThreadEvents,
): Thread {
  const worker = startProgramThread("store", { workerData: options, resourceLimits: THREAD_LIMITS });
  const calls = gatherCalls({ send, onCommit, onFailure });
  let answer: (outcomes: CallOutcome[]) => void = () => {};
  let isClosing = false;
  let gone: Error | undefined;

  async function send(batch: readonly StoreCall[]): Promise<CallOutcome[]> {
    try {
      return await post(batch);
    } catch {
      // One of them cannot travel between threads. It fails alone; the others are sent again without it.
      const whyNot = batch.map(travelFailure);
      const travelling = batch.filter((_, index) => whyNot[index] === undefined);
      const outcomes = travelling.length > 0 ? await post(travelling) : [];
      return whyNot.flatMap((failure) => (failure ? [failure] : outcomes.splice(0, 1)));
    }
  }

  /** @throws when one of the calls cannot travel */
  function post(batch: readonly StoreCall[]): Promise<CallOutcome[]> {
    worker.postMessage({ calls: [...batch] } satisfies ToThread);
    return new Promise((resolve) => {
      answer = resolve;
    });
  }

  worker.on("message", (message: FromThread) => {
    // Whoever opens it hears why it cannot be. Its end, which may be told in the same breath, is no news.
    if ("failed" in message) isClosing = true;
    if ("full" in message) onDiskFull?.();
    if ("outcomes" in message) answer(message.outcomes);
  });
  worker.on("error", (error) => end(error));
  worker.on("exit", () => end(new Error("the store's thread exited")));

  function end(error: Error): void {
    if (gone) return;
    gone = error;
    calls.end(error.message);
    if (!isClosing) onLost(error);
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
      isClosing = true;
      return worker.terminate();
    },
    carry: calls.carry,
    async close() {
      isClosing = true;
      await calls.finished();
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

/** Why a call cannot be sent to a thread; nothing for one that can. */
function travelFailure(call: StoreCall): CallOutcome | undefined {
  try {
    structuredClone(call);
    return undefined;
  } catch {
    return { failure: { message: "its arguments cannot be sent to the store", storeFailed: false } };
  }
}
