import type { Tree } from "../../git/revision.ts";
import { type Ask, createWorkThread, Overrun, type WorkThread } from "../../platform/work-thread.ts";
import { treeProblem } from "../problem.ts";
import { type LoadTree, lookupIn } from "./load.ts";
import type { Loaded } from "./loaded.ts";
import { type FromLoad, type ToLoad, unpackTree } from "./packed-tree.ts";

/** Reads definitions on threads of their own. */
export interface ThreadedLoader {
  load: LoadTree;
  stop(): Promise<void>;
}

/**
 * What is known of sources is kept from one reading to the next while they follow each other closely; a thread takes 30 MB and
 * more, which a server at rest has better uses for. Files that somebody sends are read once.
 */
const OF_SOURCES = { mostWaiting: 1_000, idleMs: 30_000 };
const OF_SENT_FILES = { mostWaiting: 16, idleMs: 30_000 };

/** What reading a tree may take. */
export interface LoadLimits {
  /** Processor time, some for any tree and more for each byte. */
  cpuMs: number;
  cpuMsPerMebibyte: number;
  memoryMb: { ofSources: number; ofSentFiles: number };
}

/** What people write takes a tenth of it. */
const LIMITS: LoadLimits = {
  cpuMs: 5_000,
  cpuMsPerMebibyte: 4_000,
  memoryMb: { ofSources: 1_024, ofSentFiles: 512 },
};

/**
 * Makes a loader that keeps a hostile definition from its server: the thread that reads it may use so much processor time and
 * memory, and what takes more has that as its problem. A thread starts with the first tree.
 */
export function createThreadedLoader(limits: LoadLimits = LIMITS): ThreadedLoader {
  const { ofSources, ofSentFiles } = limits.memoryMb;
  const sources = createWorkThread("load", { ...OF_SOURCES, memoryMb: ofSources });
  const sentFiles = createWorkThread("load", { ...OF_SENT_FILES, memoryMb: ofSentFiles });

  async function loadSource(...args: Parameters<LoadTree>): Promise<Loaded> {
    try {
      return await loadOn(sources, limits, ...args);
    } catch (error) {
      if (!(error instanceof Overrun) || error.of !== "memory") throw error;
      // What is remembered of other sources is not this one's fault: a new thread remembers nothing.
      return loadOn(sources, limits, ...args);
    }
  }

  return {
    async load(tree, sourceName, cacheName) {
      try {
        if (cacheName === undefined) return await loadOn(sentFiles, limits, tree, sourceName);
        return await loadSource(tree, sourceName, cacheName);
      } catch (error) {
        if (error instanceof Overrun) return tooCostly(error, cpuMsFor(tree, limits));
        throw error;
      }
    },
    async stop() {
      await Promise.all([sources.stop(), sentFiles.stop()]);
    },
  };
}

function loadOn(
  thread: WorkThread,
  limits: LoadLimits,
  ...[tree, sourceName, cacheName]: Parameters<LoadTree>
): Promise<Loaded> {
  return thread.run({ cpuMs: cpuMsFor(tree, limits) }, async (ask) => {
    const { entries, mayBeEmpty = false } = tree;
    let answer = await send(ask, { entries, mayBeEmpty, sourceName, cacheName });
    while ("wants" in answer) {
      const wanted = answer.wants.flatMap((index) => entries[index] ?? []);
      const blobs = await tree.read(wanted);
      const all = wanted.map(({ id }) => blobs.get(id) ?? Buffer.alloc(0));
      const { buffer: bytes } = new Uint8Array(Buffer.concat(all));
      answer = await send(ask, { sizes: all.map(({ length }) => length), bytes }, [bytes]);
    }
    return { ...(await unpackTree(answer)), files: [] };
  });
}

async function send(ask: Ask, message: ToLoad, moved?: ArrayBuffer[]): Promise<FromLoad> {
  return (await ask(message, moved)) as FromLoad;
}

function cpuMsFor({ entries }: Tree, { cpuMs, cpuMsPerMebibyte }: LoadLimits): number {
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  return cpuMs + (cpuMsPerMebibyte * bytes) / (1024 * 1024);
}

/** A definition that takes too much is not valid; anything else that fails is not the definition's fault. */
function tooCostly(error: Overrun, cpuMs: number): Loaded {
  const what =
    error.of === "time"
      ? `took more than ${Math.round(cpuMs / 1_000)} s of CPU time`
      : "took more memory than allowed for a definition";
  const message =
    `loading and checking this definition ${what}, so it was stopped: expected hand-written files; ` +
    "find the file with a very large number of values, and reduce or remove it";
  const problems = [treeProblem("FF_INVALID_DOCUMENT", message)];
  return { definition: undefined, problems, files: [], ...lookupIn(new Map()) };
}
