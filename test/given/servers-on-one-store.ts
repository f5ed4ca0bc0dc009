import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadDefinition } from "../../src/definitions/loading/load.ts";
import { silentLog } from "../../src/log.ts";
import { openFactories } from "../../src/reconcile/factories.ts";
import { newFactory } from "../../src/reconcile/factory.ts";
import { createSealer, KEY_BYTES } from "../../src/secrets/seal.ts";
import { createVault } from "../../src/secrets/vault.ts";
import { newManagedSpec, specOf } from "../../src/sources/managed-sources.ts";
import { onFinished } from "./cleanup.ts";
import { type Files, temporaryFolder } from "./folder.ts";
import { quietReconcile } from "./quiet-reconcile.ts";
import { runGit } from "./repository.ts";
import { aStore } from "./store.ts";

const ANN = { uid: "ann", type: "user", displayName: "Ann" } as const;

/** A managed factory in a store that several servers share, each with a data folder of its own. */
export async function managedOnOneStore() {
  const store = await aStore();
  const now = () => new Date();
  const depsAt = (factories: string) => {
    return {
      data: { factories },
      objects: store.gitObjects,
      log: silentLog,
      signal: AbortSignal.any([]),
      now,
    };
  };
  const made = newManagedSpec("acme", depsAt(temporaryFolder()));
  const record = newFactory(made, now());
  await store.factories.create(record);

  async function startServer(data = temporaryFolder()) {
    const sealer = createSealer(Buffer.alloc(KEY_BYTES, 1));
    const spec = specOf(record, depsAt(data));
    const factories = await openFactories([spec], {
      ...quietReconcile,
      store: store.factories,
      vault: createVault({ store: store.secrets, sealer, outside: {}, ofServer: new Set(), env: {}, now }),
      sealer,
      load: (tree, sourceName) => loadDefinition(tree, sourceName),
      now,
    });
    await factories.start();
    onFinished(factories.stop);
    const factory = factories.get(record.uid);
    const repository = join(data, `${record.uid}.git`);
    return {
      data,
      factory,
      repository,
      /** Writes files, as somebody does over the API. */
      edit: (message: string, files: Files) =>
        factory.edit({
          principal: ANN,
          change: () => ({
            message,
            files: Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) })),
          }),
        }),
      log: () => runGit(repository, "log", "--format=%H %s", "main").split("\n"),
      loseDisk() {
        for (const left of readdirSync(data)) rmSync(join(data, left), { recursive: true });
      },
      stop: factories.stop,
    };
  }

  return { store, uid: record.uid, startServer };
}
