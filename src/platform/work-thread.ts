import { readFileSync, readlinkSync } from "node:fs";
import type { MessagePort, Worker } from "node:worker_threads";
import { serial } from "../concurrency/shared-work.ts";
import { MillraceError } from "../errors/error.ts";
import { lowerPriorityOfThread } from "./processes.ts";
import { startThread, type ThreadName } from "./threads.ts";

/** A thread of the program that does costly work for others, one piece at a time, and is ended when a piece costs too much. */
export interface WorkThread {
  /**
   * Does a piece of work by asking the thread as often as it takes. Pieces that come in the meantime wait for their turn.
   * @throws Overrun when the thread has used more than it may
   * @throws MillraceError `service_unavailable` when too many wait
   */
  run<Result>(limits: { cpuMs: number }, work: (ask: Ask) => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/** Sends a message to the thread. @returns its answer */
export type Ask = (message: unknown, moved?: readonly ArrayBuffer[]) => Promise<unknown>;

export interface WorkThreadOptions {
  memoryMb: number;
  /** So many pieces may wait. */
  mostWaiting: number;
  /** Without work for so long, the thread ends and gives its memory back. */
  idleMs: number;
}

/** The work was ended: it took more of something than it may. */
export class Overrun extends Error {
  readonly of: "time" | "memory";

  constructor(of: "time" | "memory") {
    super(of === "time" ? "the work takes too much processor time" : "the work takes too much memory");
    this.name = "Overrun";
    this.of = of;
  }
}

const LOOK_MS = 100;
const RETRY_SECONDS = 5;

/** Nothing is started before there is work. */
export function createWorkThread(name: ThreadName, options: WorkThreadOptions): WorkThread {
  let running: RunningThread | undefined;
  const pieces = serial();
  let waiting = 0;
  let isStopped = false;
  let idle: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    const ended = running;
    running = undefined;
    await ended?.end();
  }

  async function carryOut<Result>(cpuMs: number, work: (ask: Ask) => Promise<Result>): Promise<Result> {
    if (isStopped) throw new Error("the server is stopping");
    if (running?.hasEnded()) running = undefined;
    running ??= runThread(
      startThread(name, { resourceLimits: { maxOldGenerationSizeMb: options.memoryMb } }),
    );
    const thread = running;
    return thread.within(cpuMs, () => work(thread.ask));
  }

  return {
    run({ cpuMs }, work) {
      if (waiting >= options.mostWaiting) return Promise.reject(busy());
      waiting += 1;
      clearTimeout(idle);
      return pieces
        .run(() => carryOut(cpuMs, work))
        .finally(() => {
          waiting -= 1;
          if (waiting === 0 && !isStopped) idle = setTimeout(() => void end(), options.idleMs).unref();
        });
    },
    async stop() {
      isStopped = true;
      clearTimeout(idle);
      await end();
      await pieces.ended();
    },
  };
}

function busy(): MillraceError {
  return new MillraceError(
    "service_unavailable",
    "The server is at its limit for concurrent work of this kind.",
    {
      remedy: "Retry shortly.",
      retryAfter: RETRY_SECONDS,
    },
  );
}

interface RunningThread {
  ask: Ask;
  /** Lets some work go on for as long as the thread has not used more time than this. */
  within<Result>(cpuMs: number, work: () => Promise<Result>): Promise<Result>;
  hasEnded(): boolean;
  end(): Promise<unknown>;
}

function runThread(worker: Worker): RunningThread {
  const waiting: { resolve(answer: unknown): void; reject(error: Error): void }[] = [];
  let ended: Error | undefined;
  let clock = (): number => performance.now();
  const fail = (error: Error) => {
    ended ??= error;
    for (const one of waiting.splice(0)) one.reject(ended);
  };
  const ask: Ask = (message, moved = []) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      waiting.push({ resolve, reject });
      worker.postMessage(message, [...moved]);
    });
  worker.on("message", (message: Answer) => {
    if ("thread" in message) clock = processorClock(message.thread);
    else if ("failed" in message) waiting.shift()?.reject(message.failed);
    else waiting.shift()?.resolve(message.answer);
  });
  worker.on("error", (error: NodeJS.ErrnoException) =>
    fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new Overrun("memory") : error),
  );
  worker.on("exit", () => fail(new Error("the thread exited")));
  return {
    ask,
    async within(cpuMs, work) {
      // A thread that has just been started is loading its program, which is no part of the work.
      await ask({ ready: true });
      const began = clock();
      const look = setInterval(() => {
        if (clock() - began <= cpuMs) return;
        fail(new Overrun("time"));
        void worker.terminate();
      }, LOOK_MS);
      try {
        return await work();
      } finally {
        clearInterval(look);
      }
    },
    hasEnded: () => ended !== undefined,
    end() {
      fail(new Error("the thread was terminated"));
      return worker.terminate();
    },
  };
}

/** What the kernel counts time in (`getconf CLK_TCK`, the same on every Linux that Node runs on). */
const TICK_MS = 10;

/** Milliseconds of processor time that a thread has used, by the kernel's count of it; where there is none, those that pass. */
function processorClock(thread: string | undefined): () => number {
  if (thread === undefined) return () => performance.now();
  return () => {
    try {
      const fields = readFileSync(`/proc/self/task/${thread}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    } catch {
      // It has ended, and with it what is measured.
      return 0;
    }
  };
}

type Answer = { thread: string | undefined } | { answer: unknown } | { failed: Error };

/** What a thread's program says to the one who has started it. */
export interface Reply {
  answer: unknown;
  moved?: readonly ArrayBuffer[];
}

/** In the thread: answers each message with what comes of it, one after the other. Requests to the server go first. */
export function answerAsThread(
  port: MessagePort | null,
  reply: (message: never) => Promise<Reply> | Reply,
): void {
  if (!port) return;
  lowerPriorityOfThread();
  port.postMessage({ thread: ownThread() } satisfies Answer);
  port.on("message", async (message: object) => {
    if ("ready" in message) return port.postMessage({ answer: undefined } satisfies Answer);
    try {
      const { answer, moved = [] } = await reply(message as never);
      port.postMessage({ answer } satisfies Answer, [...moved]);
    } catch (error) {
      port.postMessage({ failed: error as Error } satisfies Answer);
    }
  });
}

/** The kernel's name of this thread; nothing where it tells none. */
function ownThread(): string | undefined {
  try {
    return readlinkSync("/proc/thread-self").split("/").at(-1);
  } catch {
    return undefined;
  }
}
