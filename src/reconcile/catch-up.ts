import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { sharedWork } from "../concurrency/shared-work.ts";
import { errorMessage, MillraceError } from "../errors/error.ts";
import type { Log } from "../log.ts";
import type { FactoryRecord, FactoryStore } from "./factory.ts";
import type { RunningFactory } from "./running-factory.ts";

export interface CatchUpDeps {
  store: Pick<FactoryStore, "findLatestGeneration" | "list">;
  /** The factories that this server has now. */
  running(): readonly RunningFactory[];
  /** Whether this server makes or deletes the factory of a source just now. */
  isBusy(sourceKey: string): boolean;
  /** Serves a factory that another server has made, if its source can be had here. */
  open(record: FactoryRecord): Promise<void>;
  /** Serves a factory no more that another server has deleted. */
  drop(factory: RunningFactory): void;
  log: Log;
}

/** Senders cannot make this server look more often, however many of their requests wait for it. */
const MIN_BETWEEN_LOOKS_MS = 20;

/**
 * Takes in what other servers have changed of the factories. Whoever asks at the same time shares one look, which costs
 * one row while nothing has changed.
 * @returns a function that resolves when everything is known that was committed before its call
 */
export function createCatchUp(deps: CatchUpDeps): () => Promise<void> {
  const { store, log } = deps;
  let seen: number | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;

  const look = sharedWork(async () => {
    const restMs = lookedAt + MIN_BETWEEN_LOOKS_MS - performance.now();
    if (restMs > 0) await sleep(restMs);
    lookedAt = performance.now();
    // Before the records: what changes between the two is taken in once more.
    const latest = await store.findLatestGeneration();
    if (latest === seen) return;
    const isComplete = await takeIn(await store.list());
    seen = isComplete ? latest : undefined;
  });

  /** @returns whether all of it could be taken in */
  async function takeIn(records: readonly FactoryRecord[]): Promise<boolean> {
    let isComplete = true;
    const each = async (record: Pick<FactoryRecord, "name" | "sourceKey">, work: () => Promise<void>) => {
      if (deps.isBusy(record.sourceKey)) return;
      await work().catch((error) => {
        isComplete = false;
        const details = { factory: record.name, error: errorMessage(error) };
        log.error(details, "a change that was made through another server could not be loaded");
      });
    };
    const bySource = new Map(records.map((record) => [record.sourceKey, record]));
    for (const factory of [...deps.running()]) {
      await each(factory.record, () => update(factory, bySource.get(factory.record.sourceKey)));
    }
    const known = new Set(deps.running().map(({ record }) => record.sourceKey));
    for (const record of records.filter(({ sourceKey }) => !known.has(sourceKey))) {
      await each(record, () => deps.open(record));
    }
    return isComplete;
  }

  async function update(factory: RunningFactory, found: FactoryRecord | undefined): Promise<void> {
    if (!found) return deps.drop(factory);
    if (isSame(found, factory)) return;
    await factory.reload().catch((error) => {
      if (!(error instanceof MillraceError) || error.code !== "resource_not_found") throw error;
      deps.drop(factory);
    });
  }

  return () => look(new AbortController().signal);
}

/** Where its source is, each server knows for itself. */
function isSame(found: FactoryRecord, { record, active }: RunningFactory): boolean {
  const { generation } = found;
  return (
    generation === (active?.generation ?? 0) && isDeepStrictEqual({ ...found, source: record.source }, record)
  );
}
