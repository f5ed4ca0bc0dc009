import { MillraceError } from "../errors/error.ts";
import { addFactory } from "./add-factory.ts";
import type { FactorySpec } from "./factory-spec.ts";
import { type OpenDeps, openFactory } from "./open-factory.ts";
import type { Factory, RunningFactory } from "./running-factory.ts";

export interface FactoriesDeps extends Omit<OpenDeps, "isServed" | "announce"> {
  /** Hears of each definition that comes into force, the stored ones at the start included. */
  onActive(factories: readonly Factory[]): void;
}

/** Every factory of this server, each kept in step with its source. */
export interface Factories {
  /**
   * Begins to look at the sources. Until then, and until it has, what is stored of them is served.
   * @returns when each was looked at once
   */
  start(): Promise<void>;
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
  return {
    async start() {
      await Promise.all(running.map((factory) => factory.start()));
    },
    list: () => [...running],
    find,
    get,
    add: addFactory(running, opening),
    async remove(uid, takeOut) {
      const factory = get(uid);
      // Before it is gone from the store: what a sender sends meanwhile would belong to nobody.
      running.splice(running.indexOf(factory), 1);
      announce();
      try {
        return await factory.leave(takeOut);
      } catch (error) {
        running.push(factory);
        announce();
        throw error;
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
