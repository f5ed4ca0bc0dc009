import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "./config/config.ts";
import { counted } from "./counted.ts";
import { MillraceError } from "./error.ts";
import { inShell } from "./in-shell.ts";
import type { Log } from "./log.ts";
import { newManagedSpec } from "./managed-sources.ts";
import type { Factories, FactorySpec } from "./reconcile/factories.ts";
import type { FactoryRecord, FactoryStore } from "./reconcile/factory.ts";
import type { FactoryDeletionStore } from "./reconcile/factory-deletion.ts";
import type { Queue } from "./runs/queue.ts";
import { scopeOutsideSecrets } from "./scope-outside-secrets.ts";
import type { SecretStore } from "./secrets/secret.ts";
import type { SourceParts } from "./sources.ts";

interface FactoryMakingParts {
  config: Config;
  factories: Factories;
  store: {
    factories: Pick<FactoryStore, "list">;
    factoryDeletions: FactoryDeletionStore;
    secrets: SecretStore;
  };
  queue: Pick<Queue, "cancel">;
  /** The factories of this start. */
  specs: readonly FactorySpec[];
  sourceParts: SourceParts;
  log: Log;
  now: () => Date;
}

/** Makes factories and deletes them while the server runs. */
export function factoryMaking(parts: FactoryMakingParts) {
  const { config, factories, store, queue, sourceParts, log, now } = parts;

  /** Also of a factory that rests: no source of this start is its. */
  async function findRecord(nameOrUid: string): Promise<FactoryRecord | undefined> {
    const all = await store.factories.list();
    return all.find(({ uid }) => uid === nameOrUid) ?? all.find(({ name }) => name === nameOrUid);
  }

  return {
    async makeFactory(name: string) {
      const made = await factories.add(newManagedSpec(name, sourceParts));
      await scopeOutsideSecrets(config, factories, store.secrets, log);
      return made;
    },
    findRecord,
    findContents: store.factoryDeletions.findContents,
    whyKept: (record: FactoryRecord) => refusalOf(record, parts),
    /** @throws MillraceError `conflict` for one that the next start would make again */
    async deleteFactory(record: FactoryRecord): Promise<void> {
      const refusal = refusalOf(record, parts);
      if (refusal) throw refusal;
      const { uid } = record;
      const takeOut = () => store.factoryDeletions.remove(uid, now().toISOString());
      const isServed = factories.list().some((factory) => factory.record.uid === uid);
      const removed = await (isServed ? factories.remove(uid, takeOut) : takeOut());
      for (const run of removed?.workingRuns ?? []) queue.cancel(run);
      // The repository last: what a crash leaves of it is a folder that nothing reads.
      if (record.mode === "managed" && "url" in record.source)
        await rm(record.source.url, { recursive: true, force: true });
      log.info({ factory: record.name, uid }, "deleted a factory");
    },
  };
}

/** What the settings call a factory is the way to it from now on, also once its definition gives it another name. */
export async function keepSourceKeys(
  specs: readonly FactorySpec[],
  store: Pick<FactoryStore, "moveSource">,
): Promise<void> {
  for (const { uid, sourceKey } of specs) if (uid !== undefined) await store.moveSource(uid, sourceKey);
}

function refusalOf(
  { name, mode, source, sourceKey }: FactoryRecord,
  { specs }: Pick<FactoryMakingParts, "specs">,
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

/** A source that cannot be reached keeps nobody from hearing of a factory that rests. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Says which factories rest: no source of this start is theirs, so nobody answers their senders.
 * @param lookedAt resolves when each source was looked at, since a source may go on with a factory that rests
 */
export async function warnOfResting(
  lookedAt: Promise<void>,
  {
    factories,
    store,
    log,
    signal,
  }: Pick<FactoryMakingParts, "factories" | "store" | "log"> & { signal: AbortSignal },
): Promise<void> {
  await Promise.race([lookedAt, sleep(LONGEST_WAIT_MS, undefined, { signal, ref: false }).catch(() => {})]);
  if (signal.aborted) return;
  const served = new Set(factories.list().map(({ record }) => record.uid));
  for (const { uid, name, source } of await store.factories.list()) {
    if (served.has(uid)) continue;
    const { webhooks, waitingRuns } = await store.factoryDeletions.findContents(uid);
    const place = "url" in source ? source.url : source.path;
    log.warn(
      { factory: name, source: place },
      `the factory "${name}" rests: the settings do not name its source. ${counted(webhooks.length, "webhook")} of it ` +
        `answer 404, and ${counted(waitingRuns, "run")} of it wait. Name ${place} again to serve it, or run ` +
        `\`millrace factories delete ${inShell(name)}\``,
    );
  }
}
