import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { sharedWork } from "../concurrency/shared-work.ts";
import { errorMessage, inShell, MillraceError } from "../errors/error.ts";
import type { Log } from "../log.ts";
import { type FactoryRecord, type FactorySpec, type FactoryStore, newFactory } from "./factory.ts";
import { looksLikeOf } from "./factory-name.ts";
import { type OpenDeps, openFactory } from "./open-factory.ts";
import type { Factory, RunningFactory } from "./running-factory.ts";

export interface FactoriesDeps extends Omit<OpenDeps, "isServed" | "announce"> {
  /** Hears of each definition that comes into force, the stored ones at the start included. */
  onActive(factories: readonly Factory[]): void;
  /** The source of a factory that another server has made; nothing where that is not to be had here. */
  specOf?(record: FactoryRecord): FactorySpec | undefined;
}

/** Every factory of this server, each kept in step with its source. */
export interface Factories {
  /**
   * Begins to look at the sources. Until then, and until it has, what is stored of them is served.
   * @returns when each was looked at once
   */
  start(): Promise<void>;
  /** Takes in what was changed through other servers. @returns when all is known that was committed before the call */
  catchUp(): Promise<void>;
  list(): RunningFactory[];
  /** By uid or name; a name that reads like the uid of another factory does not stand in its way. */
  find(uidOrName: string): RunningFactory | undefined;
  /** @throws MillraceError `resource_not_found` */
  get(uid: string): RunningFactory;
  /**
   * Makes a factory of this name, and brings it into force.
   * @throws MillraceError `conflict` when the name is taken
   */
  add(spec: FactorySpec): Promise<RunningFactory>;
  /**
   * Serves a factory no more while something takes it out of the store. When that fails, it is served again.
   * @returns what it returns
   */
  remove<Result>(uid: string, takeOut: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/** Opens the factory of each source, and serves what is stored of it. */
export async function openFactories(specs: readonly FactorySpec[], deps: FactoriesDeps): Promise<Factories> {
  const running: RunningFactory[] = [];
  const isServed = (uid: string) => running.some(({ record }) => record.uid === uid);
  const announce = () => {
    letGo(running);
    deps.onActive(running);
  };
  const opening = { ...deps, isServed, announce };
  /** Keys of the sources whose factories are made or deleted here just now. */
  const busy = new Set<string>();
  for (const spec of specs) running.push(await openFactory(spec, opening));
  announce();

  const find = (uidOrName: string) =>
    running.find(({ record }) => record.uid === uidOrName) ??
    running.find(({ record }) => record.name === uidOrName);
  const get = (uid: string) => {
    const factory = find(uid);
    if (factory) return factory;
    throw new MillraceError("resource_not_found", `There is no factory "${uid}" on this server.`);
  };
  const leave = (factory: RunningFactory) => {
    const index = running.indexOf(factory);
    if (index >= 0) running.splice(index, 1);
    announce();
  };
  const catchUp = createCatchUp({
    ...deps,
    running: () => running,
    isBusy: (sourceKey) => busy.has(sourceKey),
    async open(record) {
      const spec = deps.specOf?.(record);
      if (!spec) return;
      const factory = await openFactory(spec, opening, record);
      running.push(factory);
      announce();
      void factory.start();
    },
    drop(factory) {
      leave(factory);
      void factory.stop();
    },
  });
  return {
    catchUp,
    async start() {
      await Promise.all(running.map((factory) => factory.start()));
    },
    list: () => [...running],
    find,
    get,
    add: addFactory(running, busy, opening),
    async remove(uid, takeOut) {
      const factory = get(uid);
      // Before it is gone from the store: what a sender sends meanwhile would belong to nobody.
      busy.add(factory.record.sourceKey);
      leave(factory);
      try {
        return await factory.leave(takeOut);
      } catch (error) {
        running.push(factory);
        announce();
        throw error;
      } finally {
        busy.delete(factory.record.sourceKey);
      }
    },
    async stop() {
      await Promise.all(running.map((factory) => factory.stop()));
    },
  };
}

/** A source that goes on with a factory that millrace kept so far takes its place. */
function letGo(running: RunningFactory[]): void {
  const isReplaced = ({ record }: RunningFactory) =>
    record.mode === "managed" &&
    running.some((other) => other.record.uid === record.uid && other.record.mode !== "managed");
  for (const factory of running.filter(isReplaced)) {
    running.splice(running.indexOf(factory), 1);
    void factory.stop();
  }
}

/**
 * Adds factories to those that are kept while the server runs.
 * @param busy gets the key of the source while its record is there and the factory is not
 */
function addFactory(
  running: RunningFactory[],
  busy: Set<string>,
  deps: OpenDeps,
): (spec: FactorySpec) => Promise<RunningFactory> {
  return async (spec) => {
    const { store, now } = deps;
    const make = async () => {
      const taken = await store.claim(newFactory(spec, now()));
      if (taken) throw nameTaken(spec.name, taken);
      const factory = await openFactory(spec, deps);
      running.push(factory);
      return factory;
    };
    busy.add(spec.sourceKey);
    const factory = await make().finally(() => busy.delete(spec.sourceKey));
    await factory.start();
    return factory;
  };
}

/** @param holder the factory whose name, alias or uid it looks like: people take one for the other */
function nameTaken(name: string, holder: FactoryRecord): MillraceError {
  const why =
    holder.name === name
      ? `This server already has a factory "${name}".`
      : `${JSON.stringify(name)} ${looksLikeOf(name, holder)} of the factory "${holder.name}" on this server.`;
  return new MillraceError("conflict", why, {
    remedy:
      "Choose another name: names and aliases are unique on a server, regardless of case and white space, and stay reserved when a factory's source is no longer configured.",
    retryable: false,
    extra: { field: "name" },
  });
}

/**
 * The factory with a uid. What people ask for may be a name as well, which a definition chooses: nobody may get what belongs to another
 * factory because its uid is their name.
 */
export function findByUid(
  uid: string | null,
  factories: Pick<Factories, "find">,
): RunningFactory | undefined {
  const found = uid === null ? undefined : factories.find(uid);
  return found?.record.uid === uid ? found : undefined;
}

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
function createCatchUp(deps: CatchUpDeps): () => Promise<void> {
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

/**
 * What a second factory changes for those who name none; nothing for any other, or where the settings name a default.
 * @param added the uid of the factory that is the second
 * @param defaultFactory as the settings name it
 */
export function warnOfSecond(
  factories: readonly Factory[],
  added: string,
  defaultFactory: string | undefined,
): string | undefined {
  const [first, another] = factories.filter(({ record }) => record.uid !== added);
  if (defaultFactory !== undefined || !first || another) return undefined;
  return (
    "This is the second factory on the server: runs that are created with an unlimited key and without a factory or an agent now belong to " +
    `no factory and have no foreman's prompt or secrets. They previously belonged to "${first.record.name}": set ` +
    `MILLRACE_DEFAULT_FACTORY=${inShell(first.record.name)} to retain this behavior, or specify the factory in each request`
  );
}
