import { rm } from "node:fs/promises";
import { errorMessage, MillraceError } from "./error.ts";
import { inShell } from "./in-shell.ts";
import type { Log } from "./log.ts";
import { type ManagedParts, ownRepositoryPath } from "./managed-sources.ts";
import type { Factories, FactorySpec } from "./reconcile/factories.ts";
import type { FactoryRecord, FactoryStore } from "./reconcile/factory.ts";
import type { FactoryDeletionStore } from "./reconcile/factory-deletion.ts";
import type { Queue } from "./runs/queue.ts";

interface FactoryDeletionParts {
  factories: Pick<Factories, "list" | "remove">;
  store: { factories: Pick<FactoryStore, "list">; factoryDeletions: FactoryDeletionStore };
  queue: Pick<Queue, "cancel">;
  /** The factories of this start. */
  specs: readonly FactorySpec[];
  sourceParts: Pick<ManagedParts, "data">;
  log: Log;
  now: () => Date;
}

/** Deletes factories while the server runs. */
export function factoryDeletion({
  factories,
  store,
  queue,
  specs,
  sourceParts,
  log,
  now,
}: FactoryDeletionParts) {
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
    const path = ownRepositoryPath(uid, sourceParts.data);
    try {
      await rm(path, { recursive: true, force: true });
    } catch (error) {
      log.warn(
        { factory: name, uid, path, error: errorMessage(error) },
        `the factory "${name}" is deleted, and its repository stays: delete ${path} by hand`,
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
    findContents: store.factoryDeletions.findContents,
    whyKept: (record: FactoryRecord) => refusalOf(record, specs),
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
    `The factory "${name}" is named by millrace.yaml, or by the command that has started the server: the next start would make it again.`,
    {
      remedy: `Take ${named} out there, start the server again, and run \`millrace factories delete ${inShell(name)}\` then. \`millrace suspend ${inShell(name)}\` keeps its commits from coming into force, \`millrace pause\` its runs from starting.`,
      retryable: false,
    },
  );
}
