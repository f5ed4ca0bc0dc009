import type { LoadCache } from "../definitions/load.ts";
import { MillraceError } from "../error.ts";
import type { Source } from "../git/revision.ts";
import { newUid } from "../id.ts";
import type { Log } from "../log.ts";
import type { Sealer } from "../secrets/seal.ts";
import type { FactoryMode, FactoryRecord, FactorySource, FactoryStore } from "./factory.ts";
import { type Loop, startLoop } from "./loop.ts";
import type { Outcome, Reason, Request } from "./outcome.ts";
import { reconcile } from "./reconcile.ts";
import { rollBack } from "./rollback.ts";
import { definitionOf, type ServedDefinition, serveDefinition } from "./served.ts";
import { type Standing, standingOf } from "./standing.ts";
import type { ReconcileParts, Subject } from "./subject.ts";

/** A source to keep a factory in step with. */
export interface FactorySpec {
  /** The same source has the same key after a restart. */
  sourceKey: string;
  /** The name of the factory until its first valid definition names it. */
  name: string;
  mode: FactoryMode;
  description: FactorySource;
  source: Source;
  /** Names of the managed secrets that the source is opened with. */
  secrets: readonly string[];
  pollMs: number | undefined;
  /** Tells of changes; nothing for a source that is polled. */
  watch?: (listener: { onChange(): void; onTrouble(why: string): void }) => { stop(): Promise<void> };
}

/** A factory on this server: as recorded, and what of it is in force. */
export interface Factory {
  readonly record: FactoryRecord;
  readonly served: ServedDefinition | undefined;
  /** Names of the managed secrets that its source is opened with. */
  readonly sourceSecrets: readonly string[];
}

export interface FactoriesParts extends Omit<ReconcileParts, "isServed"> {
  log: Log;
  /** Hears of each definition that comes into force, the stored ones at the start included. */
  onServed(factories: readonly Factory[]): void;
}

/** Every factory of this server, each kept in step with its source. */
export interface Factories {
  list(): Factory[];
  /** By uid or name; a name that reads like the uid of another factory does not stand in its way. */
  find(uidOrName: string): Factory | undefined;
  /** Looks at the source now. @returns the factory after that pass */
  sync(uid: string, request?: Request): Promise<Factory>;
  /** The git host says that there is something new. */
  pushed(uid: string): void;
  /** Nothing of the source comes into force from now on, also of a pass that goes on. Twice is as good as once. */
  suspend(uid: string): Promise<Factory>;
  /** Lets the source count again, which is looked at at once. Of a factory that is not suspended, nothing happens. */
  resume(uid: string, request?: Request): Promise<Factory>;
  /**
   * Brings a revision into force again that was in force before, and suspends the factory with it.
   * @param revision its hash, or the first characters of it
   * @throws MillraceError `resource_not_found` or `conflict` that says why it cannot be; then all stays as it was
   */
  rollback(uid: string, revision: string, request?: Request): Promise<Factory>;
  /** How a factory stands to a commit. */
  standing(uid: string, commit: string): Promise<Standing>;
  /** A secret was set: factories whose last attempt failed, or goes on and may have missed it, try again. */
  secretChanged(): void;
  stop(): Promise<void>;
}

/** Opens the factory of each source, serves what is stored of it, and starts its loop. */
export async function startFactories(
  specs: readonly FactorySpec[],
  parts: FactoriesParts,
): Promise<Factories> {
  const kept: KeptFactory[] = [];
  const isServed = (uid: string) => kept.some(({ record }) => record.uid === uid);
  for (const spec of specs) kept.push(await openFactory(spec, { ...parts, isServed }));
  const announce = () => parts.onServed(kept);
  announce();
  for (const factory of kept) factory.start(announce);

  const find = (uidOrName: string) =>
    kept.find(({ record }) => record.uid === uidOrName) ??
    kept.find(({ record }) => record.name === uidOrName);
  const findOrThrow = (uid: string) => {
    const factory = find(uid);
    if (factory) return factory;
    throw new MillraceError("resource_not_found", `There is no factory "${uid}" on this server.`);
  };
  return {
    list: () => [...kept],
    find,
    async sync(uid, request) {
      const factory = findOrThrow(uid);
      await factory.request("sync", request);
      return factory;
    },
    pushed(uid) {
      void findOrThrow(uid).request("hook");
    },
    async suspend(uid) {
      const factory = findOrThrow(uid);
      await factory.suspend();
      return factory;
    },
    async resume(uid, request) {
      const factory = findOrThrow(uid);
      await factory.resume(request);
      return factory;
    },
    async rollback(uid, revision, request) {
      const factory = findOrThrow(uid);
      await factory.rollback(revision, request);
      return factory;
    },
    standing: async (uid, commit) => findOrThrow(uid).standing(commit),
    secretChanged() {
      for (const factory of kept) if (!factory.isSettled) void factory.request("secret");
    },
    async stop() {
      await Promise.all(kept.map((factory) => factory.stop()));
    },
  };
}

interface KeptFactory extends Factory {
  /** Whether the last pass has ended well. */
  readonly isSettled: boolean;
  start(announce: () => void): void;
  request(reason: Reason, request?: Request): Promise<void>;
  suspend(): Promise<void>;
  resume(request?: Request): Promise<void>;
  rollback(revision: string, request?: Request): Promise<void>;
  standing(commit: string): Promise<Standing>;
  stop(): Promise<void>;
}

async function openFactory(spec: FactorySpec, parts: FactoriesParts & ReconcileParts): Promise<KeptFactory> {
  const { store, now, sealer } = parts;
  let record = (await store.findBySource(spec.sourceKey)) ?? (await store.create(newFactory(spec, now())));
  const { uid } = record;
  let served = await serveStored(uid, store, sealer);
  let loop: Loop | undefined;
  let announce = () => {};
  let watcher: { stop(): Promise<void> } | undefined;
  const cache: LoadCache = new Map();
  // Until this version has read the source once, what is stored may have been resolved by an older one.
  let readSinceStart = false;

  let lookups = 0;

  const subjectOf = (request: Request): Subject => {
    return { factory: record, source: spec.source, sourceName: spec.name, served, cache, request };
  };

  async function pass(asked: Reason, request: Request): Promise<Outcome> {
    const reason = readSinceStart ? asked : "start";
    const outcome = await reconcile(subjectOf(request), reason, parts);
    readSinceStart ||= outcome.kind !== "unreadable";
    await settle(outcome);
    return outcome;
  }

  async function settle(outcome: Outcome): Promise<void> {
    await refresh();
    if (outcome.kind === "applied") {
      served = outcome.served;
      announce();
    }
    report(outcome);
  }

  /** A lookup that began earlier may end later: the one that began last has seen the most. */
  async function refresh(): Promise<void> {
    lookups += 1;
    const own = lookups;
    const found = await store.findBySource(spec.sourceKey);
    if (found && own === lookups) record = found;
  }

  function report(outcome: Outcome): void {
    const { name, sync } = record;
    if (outcome.kind === "applied") {
      parts.log.info({ factory: name, revision: sync.appliedRevision }, "applied a definition");
    } else if (outcome.kind !== "unchanged") {
      const [first] = outcome.problems;
      const place = first && `${first.path}:${first.line}:${first.column}`;
      parts.log.warn(
        { factory: name, revision: sync.attemptedRevision, place, problem: first?.message },
        outcome.kind,
      );
    }
  }

  return {
    get record() {
      return record;
    },
    get served() {
      return served;
    },
    sourceSecrets: spec.secrets,
    get isSettled() {
      const { status } = record.sync;
      return status === "suspended" || (status === "synced" && !loop?.isRunning);
    },
    start(announceServed) {
      announce = announceServed;
      loop = startLoop({ pass, pollMs: spec.pollMs, log: parts.log });
      void loop.request("start");
      watcher = spec.watch?.({
        onChange: () => void loop?.request("change"),
        onTrouble: (error) =>
          parts.log.warn(
            { factory: record.name, error },
            "cannot watch the folder; reads it every few seconds",
          ),
      });
    },
    request: (reason, request) => loop?.request(reason, request) ?? Promise.resolve(),
    async suspend() {
      await store.suspend(uid, now().toISOString());
      await refresh();
    },
    async resume(request) {
      // After a rollback that goes on, which would suspend the factory again.
      const wasSuspended = await loop?.alone(() => store.resume(uid, now().toISOString()));
      await refresh();
      if (wasSuspended) void loop?.request("resume", request);
    },
    async rollback(revision, request = {}) {
      await loop?.alone(async () => settle(await rollBack(revision, subjectOf(request), parts)));
    },
    standing: (commit) => standingOf(commit, record, { source: spec.source, store }),
    async stop() {
      await watcher?.stop();
      await loop?.stop();
    },
  };
}

/** What was in force when the server stopped; nothing for a factory that never had a valid definition. */
async function serveStored(
  uid: string,
  store: FactoryStore,
  sealer: Sealer,
): Promise<ServedDefinition | undefined> {
  const resources = await store.listResources(uid);
  const definition = definitionOf(resources);
  return definition && serveDefinition(definition, resources, await store.listCredentials(uid), sealer);
}

function newFactory(spec: FactorySpec, now: Date): FactoryRecord {
  return {
    uid: newUid(),
    sourceKey: spec.sourceKey,
    name: spec.name,
    mode: spec.mode,
    source: spec.description,
    sync: {
      status: "pending",
      attemptedRevision: null,
      attemptedAt: null,
      appliedRevision: null,
      appliedAt: null,
      problems: [],
    },
    createdAt: now.toISOString(),
  };
}
