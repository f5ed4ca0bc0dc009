import type { LoadCache } from "../definitions/load.ts";
import { MillraceError } from "../error.ts";
import type { Source } from "../git/revision.ts";
import { newUid } from "../id.ts";
import type { Log } from "../log.ts";
import type { Sealer } from "../secrets/seal.ts";
import type { FactoryMode, FactoryRecord, FactorySource, FactoryStore } from "./factory.ts";
import { type Loop, startLoop } from "./loop.ts";
import type { Outcome, Reason } from "./outcome.ts";
import { reconcile } from "./reconcile.ts";
import { definitionOf, type ServedDefinition, serveDefinition } from "./served.ts";
import type { ReconcileParts } from "./subject.ts";

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
  sync(uid: string): Promise<Factory>;
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
  return {
    list: () => [...kept],
    find,
    async sync(uid) {
      const factory = find(uid);
      if (!factory)
        throw new MillraceError("resource_not_found", `There is no factory "${uid}" on this server.`);
      await factory.request("sync");
      return factory;
    },
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
  request(reason: Reason): Promise<void>;
  stop(): Promise<void>;
}

async function openFactory(spec: FactorySpec, parts: FactoriesParts & ReconcileParts): Promise<KeptFactory> {
  const { store, now, sealer } = parts;
  let record = (await store.findBySource(spec.sourceKey)) ?? (await store.create(newFactory(spec, now())));
  const { uid } = record;
  let served = await serveStored(uid, store, sealer);
  let loop: Loop | undefined;
  let watcher: { stop(): Promise<void> } | undefined;
  const cache: LoadCache = new Map();
  // Until this version has read the source once, what is stored may have been resolved by an older one.
  let readSinceStart = false;

  async function pass(asked: Reason, announce: () => void): Promise<Outcome> {
    const reason = readSinceStart ? asked : "start";
    const subject = { factory: record, source: spec.source, sourceName: spec.name, served, cache };
    const outcome = await reconcile(subject, reason, parts);
    readSinceStart ||= outcome.kind !== "unreadable";
    record = (await store.findBySource(spec.sourceKey)) ?? record;
    if (outcome.kind === "applied") {
      served = outcome.served;
      announce();
    }
    report(outcome);
    return outcome;
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
      return record.sync.status === "synced" && !loop?.isRunning;
    },
    start(announce) {
      loop = startLoop({ pass: (reason) => pass(reason, announce), pollMs: spec.pollMs, log: parts.log });
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
    request: (reason) => loop?.request(reason) ?? Promise.resolve(),
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
