import { rm } from "node:fs/promises";
import type { Config } from "../config/config.ts";
import { errorMessage, inShell, MillraceError } from "../errors/error.ts";
import { asidePath } from "../git/managed/place-repository.ts";
import type { Log } from "../log.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { FactoryDeletionStore, FactoryRecord, FactorySpec, FactoryStore } from "../reconcile/factory.ts";
import { findResting } from "../reconcile/resting.ts";
import type { Queue } from "../runs/queue.ts";
import type { SecretStore } from "../secrets/secret.ts";
import type { SettingScopeStore } from "../secrets/setting-scopes.ts";
import type { SourceDeps } from "../sources/factory-sources.ts";
import { type ManagedDeps, managedRepositoryPath, newManagedSpec } from "../sources/managed-sources.ts";
import { scopeForNewFactory } from "../sources/setting-scopes.ts";

interface FactoryDeletionDeps {
  factories: Pick<Factories, "list" | "remove">;
  store: { factories: Pick<FactoryStore, "list">; factoryDeletions: FactoryDeletionStore };
  queue: Pick<Queue, "cancel">;
  /** The factories of this start. */
  specs: readonly FactorySpec[];
  sourceDeps: Pick<ManagedDeps, "data">;
  log: Log;
  now: () => Date;
}

/** Deletes factories while the server runs. */
export function factoryDeletion({
  factories,
  store,
  queue,
  specs,
  sourceDeps,
  log,
  now,
}: FactoryDeletionDeps) {
  const deleting = new Map<string, Promise<void>>();

  async function remove(record: FactoryRecord): Promise<void> {
    const { uid, name } = record;
    const takeOut = () => store.factoryDeletions.remove(uid, now().toISOString());
    const isServed = factories.list().some((factory) => factory.record.uid === uid);
    const removed = await (isServed ? factories.remove(uid, takeOut) : takeOut());
    for (const run of removed?.runs ?? []) queue.cancel(run);
    log.info({ factory: name, uid }, "deleted a factory");
    // The repository last: what a crash leaves of it is a folder that nothing reads.
    if (record.mode === "managed") await removeRepository(record);
  }

  async function removeRepository({ uid, name }: FactoryRecord): Promise<void> {
    // The store of a restored data folder still has the path of the repository that was backed up.
    const path = managedRepositoryPath(uid, sourceDeps.data);
    try {
      await rm(path, { recursive: true, force: true });
      await rm(asidePath(path), { recursive: true, force: true });
    } catch (error) {
      log.warn(
        { factory: name, uid, path, error: errorMessage(error) },
        `factory "${name}" was deleted, but its repository could not be removed: delete ${path} manually`,
      );
    }
  }

  return {
    /** Also of a factory that rests: no source of this start is its. */
    async findRecord(nameOrUid: string): Promise<FactoryRecord | undefined> {
      const all = await store.factories.list();
      const found = all.find(({ uid }) => uid === nameOrUid) ?? all.find(({ name }) => name === nameOrUid);
      // What is served knows where its source is now.
      return factories.list().find(({ record }) => record.uid === found?.uid)?.record ?? found;
    },
    /** Those that no source of this start serves. */
    listResting: () => findResting((uid) => factories.list().some(({ record }) => record.uid === uid), store),
    findContents: store.factoryDeletions.findContents,
    refusalOf: (record: FactoryRecord) => refusalOf(record, specs),
    /** @throws MillraceError `conflict` for one that the next start would make again */
    async deleteFactory(record: FactoryRecord): Promise<void> {
      const refusal = refusalOf(record, specs);
      if (refusal) throw refusal;
      const { uid } = record;
      // Whoever asks once more waits as well: nothing takes a factory out of the store beside a pass that goes on.
      const begun = deleting.get(uid) ?? remove(record).finally(() => deleting.delete(uid));
      deleting.set(uid, begun);
      await begun;
    },
  };
}

function refusalOf(
  { name, mode, source, sourceKey }: FactoryRecord,
  specs: readonly FactorySpec[],
): MillraceError | undefined {
  if (!specs.some((spec) => spec.isNamed && spec.sourceKey === sourceKey)) return undefined;
  const named = mode === "managed" ? `\`managed: ${name}\`` : "url" in source ? source.url : source.path;
  return new MillraceError(
    "conflict",
    `Factory "${name}" is configured in millrace.yaml or on the server's command line, so the next start would create it again.`,
    {
      remedy: `Remove ${named} there, restart the server, then run \`millrace factories delete ${inShell(name)}\`. To stop applying its commits instead, run \`millrace suspend ${inShell(name)}\`; to stop its runs from starting, run \`millrace pause\`.`,
      retryable: false,
    },
  );
}

interface FactoryMakingDeps {
  config: Config;
  factories: Factories;
  store: { secrets: SecretStore; settingScopes: SettingScopeStore };
  sourceDeps: SourceDeps;
}

/** Makes factories while the server runs. */
export function factoryMaking({ config, factories, store, sourceDeps }: FactoryMakingDeps) {
  return {
    async makeFactory(name: string) {
      const made = await factories.add(newManagedSpec(name, sourceDeps));
      await scopeForNewFactory(config, made, factories, store);
      return made;
    },
  };
}
