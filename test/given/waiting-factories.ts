import { expect, vi } from "vitest";
import { loadDefinition } from "../../src/definitions/loading/load.ts";
import { SourceError, type Tree } from "../../src/git/revision.ts";
import { openFactories } from "../../src/reconcile/factories.ts";
import type { FactorySpec } from "../../src/reconcile/factory.ts";
import { createSealer, KEY_BYTES } from "../../src/secrets/seal.ts";
import { createVault } from "../../src/secrets/vault.ts";
import { onFinished } from "./cleanup.ts";
import { treeOf } from "./definition.ts";
import type { Files } from "./folder.ts";
import { quietReconcile } from "./quiet-reconcile.ts";
import { aStore } from "./store.ts";

/**
 * Factories on a real store, of which one is read from memory, where its past stays; each of its passes opens secrets and
 * then waits for a word.
 */
export async function factoriesThatWait(
  files: Files,
  {
    store: given,
    path = "/memory",
    isThere = () => true,
  }: { store?: Awaited<ReturnType<typeof aStore>>; path?: string; isThere?: () => boolean } = {},
) {
  const store = given ?? (await aStore());
  const now = () => new Date();
  const sealer = createSealer(Buffer.alloc(KEY_BYTES, 1));
  const vault = createVault({ store: store.secrets, sealer, outside: {}, ofServer: new Set(), env: {}, now });
  const waiting: (() => void)[] = [];
  let isOver = false;
  const pushed = [treeOf(files)];
  let meanwhile = async () => {};
  let beforeLoaded = async (_tree: Tree) => {};
  const spec: FactorySpec = {
    sourceKey: `folder:${path}`,
    name: "memory",
    mode: "folder",
    description: { path },
    source: {
      async latest() {
        if (!isThere()) throw new SourceError("GIT_UNREACHABLE", "It is not there yet.");
        return pushed.at(-1) ?? treeOf(files);
      },
      async past(revision) {
        const found = pushed.find((tree) => tree.revision.id === revision);
        if (found) return found;
        throw new SourceError("GIT_REVISION_MISSING", "It is kept nowhere.");
      },
      async contains(revision, commit) {
        await meanwhile();
        return revision === commit;
      },
    },
    secrets: [],
    pollMs: undefined,
  };
  const factories = await openFactories([spec], {
    ...quietReconcile,
    store: store.factories,
    vault: {
      ...vault,
      async open(names, reader) {
        const values = await vault.open(names, reader);
        if (!isOver) await new Promise<void>((resolve) => waiting.push(resolve));
        return values;
      },
    },
    sealer,
    async load(tree, sourceName) {
      await beforeLoaded(tree);
      return loadDefinition(tree, sourceName);
    },
    now,
  });
  factories.start();
  const waits = (pass: number) => vi.waitFor(() => expect(waiting.length).toBe(pass), 5_000);
  const goOn = async (pass: number) => {
    await waits(pass);
    waiting[pass - 1]?.();
  };
  onFinished(async () => {
    // Also a pass that only begins now: stopping waits for it.
    isOver = true;
    for (const resolve of waiting) resolve();
    await factories.stop();
  });
  const uid = factories.list()[0]?.record.uid ?? "";
  return {
    factories,
    store,
    vault,
    uid,
    waits,
    goOn,
    sync: () => factories.list()[0]?.record.sync,
    /** What happens while somebody asks whether a revision contains a commit. */
    whileAsked(happens: () => Promise<void>) {
      meanwhile = happens;
    },
    /** What a tree that is read waits for. */
    holdLoading(until: (tree: Tree) => Promise<void>) {
      beforeLoaded = until;
    },
    /** Puts another tree in the place of the last one. */
    push(id: string, next: Files) {
      pushed.push({ ...treeOf(next), revision: { id, author: undefined, message: undefined } });
    },
  };
}
