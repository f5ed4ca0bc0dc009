import { gitOutput } from "../git-output.ts";
import type { CommitObjects, GitObjectStore } from "./git-objects.ts";
import { listNewObjects, namesOfEdit, readObjects } from "./read-objects.ts";
import { writePack } from "./write-pack.ts";

/** Objects that are read from a repository, and written to the store, at once. */
const PAGE = 256;
/** An edit of few files costs one git process instead of two. */
const MAX_PATHS = 20;
/** What goes into one pack of a repository that is filled from the store. */
const PACK = { objects: 500, bytes: 16 * 1024 * 1024 };
/** Whoever is further behind gets everything. */
const MAX_HEADS = 1_000;

/** The objects of one managed repository in the store. An environment is git's own, and names the repository. */
export interface StoredObjects {
  /** The commit that came into force last; nothing when none of the repository is stored. */
  newest(): Promise<string | undefined>;
  /** Sees to it that a commit in force is stored, which an earlier version did not do. */
  takeIn(commit: string, environment: Record<string, string>): Promise<void>;
  /** Brings what came into force, and is not in the repository, into it. */
  fetchInto(environment: Record<string, string>): Promise<void>;
  /**
   * What has to be stored with a commit when it comes into force. Of a long history, most is stored at once: it does not
   * count before that.
   * @param paths all that was edited since the other commit, where that is known
   */
  history(
    commit: string,
    since: string | null,
    environment: Record<string, string>,
    paths?: readonly string[],
  ): Promise<CommitObjects>;
}

export function storedObjects(factoryUid: string, store: GitObjectStore): StoredObjects {
  /** A commit that is known to be stored. */
  let held: string | undefined;

  async function holds(commit: string): Promise<boolean> {
    if (commit !== held && (await store.findHead(factoryUid, commit))) held = commit;
    return commit === held;
  }

  async function history(
    commit: string,
    since: string | null,
    environment: Record<string, string>,
    paths?: readonly string[],
  ): Promise<CommitObjects> {
    const base = since !== null && (await holds(since)) ? since : undefined;
    if (base !== undefined && paths && paths.length <= MAX_PATHS)
      return { commit, objects: await readObjects(namesOfEdit(commit, paths), environment) };
    const ids = await listNewObjects(commit, base, environment);
    for (; ids.length > PAGE; ids.splice(0, PAGE))
      await store.keepObjects(factoryUid, await readObjects(ids.slice(0, PAGE), environment));
    return { commit, objects: await readObjects(ids, environment) };
  }

  return {
    newest: async () => (await store.findHead(factoryUid))?.commit,
    async takeIn(commit, environment) {
      if (await holds(commit)) return;
      const { objects } = await history(commit, null, environment);
      await store.keepObjects(factoryUid, objects);
      await store.keepHead(factoryUid, commit);
    },
    async fetchInto(environment) {
      const known = await findKnown(await store.listHeads(factoryUid, MAX_HEADS), environment);
      const missing = await store.listObjectIds(factoryUid, known?.number ?? 0);
      for (const ids of packsOf(missing))
        await writePack(await store.listObjects(factoryUid, ids), environment);
    },
    history,
  };
}

/** The newest of these heads that a repository has. */
async function findKnown<Head extends { commit: string }>(
  heads: readonly Head[],
  environment: Record<string, string>,
): Promise<Head | undefined> {
  const input = heads.map(({ commit }) => `${commit}\n`).join("");
  const output = await gitOutput(["cat-file", "--batch-check"], { environment, input });
  const lines = output.toString("latin1").split("\n");
  return heads.find((_, index) => / commit \d+$/.test(lines[index] ?? ""));
}

function packsOf(objects: readonly { id: string; length: number }[]): string[][] {
  const packs: string[][] = [];
  let bytes = PACK.bytes;
  for (const { id, length } of objects) {
    let last = packs.at(-1);
    if (!last || last.length >= PACK.objects || bytes + length > PACK.bytes) {
      last = [];
      packs.push(last);
      bytes = 0;
    }
    last.push(id);
    bytes += length;
  }
  return packs;
}
