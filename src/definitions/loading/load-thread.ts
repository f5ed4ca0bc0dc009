import { parentPort } from "node:worker_threads";
import type { TreeEntry } from "../../git/revision.ts";
import { answerAsThread, type Reply } from "../../platform/work-thread.ts";
import { type LoadCache, loadDefinition } from "./load.ts";
import { type FromLoad, packTree, type ToLoad } from "./packed-tree.ts";

/** What is remembered of so many sources, those that were loaded last. */
const MAX_CACHES = 100;
const caches = new Map<string, LoadCache>();

let load: Load | undefined;

answerAsThread(parentPort, (message: ToLoad) => {
  if ("entries" in message) {
    load = new Load(message);
    return load.start();
  }
  if (!load) throw new Error("received bytes that were not requested");
  return load.goOn(message);
});

/** The loading of one tree, which stops each time that it wants bytes. */
class Load {
  readonly #request: Extract<ToLoad, { entries: unknown }>;
  #wanted: readonly TreeEntry[] = [];
  #answer: (reply: Promise<Reply> | Reply) => void = () => {};
  #receive: (bytes: Map<string, Buffer>) => void = () => {};

  constructor(request: Extract<ToLoad, { entries: unknown }>) {
    this.#request = request;
  }

  start(): Promise<Reply> {
    const { entries, mayBeEmpty, sourceName, cacheName } = this.#request;
    const tree = {
      revision: { id: "", author: undefined, message: undefined },
      entries,
      read: (wanted: readonly TreeEntry[]) => this.#ask(wanted),
      ...(mayBeEmpty ? { mayBeEmpty: true as const } : {}),
    };
    return this.#untilNext(() => {
      const loading = loadDefinition(tree, sourceName, cacheOf(cacheName));
      const packed = loading.then((loaded) => {
        const { tree: answer, moved } = packTree(loaded);
        return { answer: answer satisfies FromLoad, moved };
      });
      packed.then(
        () => this.#answer(packed),
        () => this.#answer(packed),
      );
    });
  }

  goOn({ sizes, bytes }: Extract<ToLoad, { bytes: unknown }>): Promise<Reply> {
    return this.#untilNext(() => {
      let at = 0;
      const blobs = this.#wanted.map(({ id }, index): [string, Buffer] => {
        const size = sizes[index] ?? 0;
        at += size;
        return [id, Buffer.from(bytes, at - size, size)];
      });
      this.#receive(new Map(blobs));
    });
  }

  #untilNext(proceed: () => void): Promise<Reply> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      proceed();
    });
  }

  #ask(wanted: readonly TreeEntry[]): Promise<Map<string, Buffer>> {
    const places = new Map(this.#request.entries.map((entry, index) => [entry, index]));
    this.#wanted = wanted;
    return new Promise((resolve) => {
      this.#receive = resolve;
      const wants = wanted.map((entry) => places.get(entry) ?? -1);
      this.#answer({ answer: { wants } satisfies FromLoad });
    });
  }
}

function cacheOf(name: string | undefined): LoadCache {
  if (name === undefined) return new Map();
  const cache: LoadCache = caches.get(name) ?? new Map();
  caches.delete(name);
  caches.set(name, cache);
  for (const oldest of caches.keys()) {
    if (caches.size <= MAX_CACHES) break;
    caches.delete(oldest);
  }
  return cache;
}
