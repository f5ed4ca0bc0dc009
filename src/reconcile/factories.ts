import { MillraceError } from "../errors/error.ts";
import { addFactory } from "./add-factory.ts";
import { createCatchUp } from "./catch-up.ts";
import type { FactoryRecord } from "./factory.ts";
import type { FactorySpec } from "./factory-spec.ts";
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
