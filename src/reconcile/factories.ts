import type { LoadCache } from "../definitions/load.ts";
import { MillraceError } from "../error.ts";
import type { Reference, Source, Tree } from "../git/revision.ts";
import { newUid } from "../id.ts";
import type { Log } from "../log.ts";
import type { Sealer } from "../secrets/seal.ts";
import type { FactoryMode, FactoryRecord, FactorySource, FactoryStore } from "./factory.ts";
import { type Loop, startLoop } from "./loop.ts";
import type { Outcome, Reason } from "./outcome.ts";
import { type PlannedTree, planTree } from "./plan-tree.ts";
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

/** What a plan is made for: the source as it is now, another place of it, or a tree that somebody has. */
export type PlanSubject = "latest" | { reference: Reference } | { tree: Tree };

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
  /**
   * What would change if something came into force. Nothing is written.
   * @throws SourceError when the source cannot be read, MillraceError `invalid_request` when it has no other places
   */
  plan(uid: string, subject: PlanSubject): Promise<PlannedTree>;
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
    async sync(uid) {
      const factory = findOrThrow(uid);
      await factory.request("sync");
      return factory;
    },
    plan: async (uid, subject) => findOrThrow(uid).plan(subject),
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
  plan(subject: PlanSubject): Promise<PlannedTree>;
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
    async plan(subject) {
      const tree = await treeFor(subject, spec);
      // Nothing that the loop remembers is shared with a plan: a pass may go on meanwhile.
      const of = { factory: record, source: spec.source, sourceName: spec.name, served, cache: new Map() };
      return planTree(tree, of, parts);
    },
    async stop() {
      await watcher?.stop();
      await loop?.stop();
    },
  };
}

async function treeFor(subject: PlanSubject, { source, name, description }: FactorySpec): Promise<Tree> {
  if (subject === "latest") {
    // The loop may be looking at the tip just now, and two that fetch it would stand in each other's way.
    const isRepository = "url" in description && source.at;
    return isRepository ? isRepository({ ref: `refs/heads/${description.branch}` }) : source.latest();
  }
  if ("tree" in subject) return subject.tree;
  if (source.at) return source.at(subject.reference);
  throw new MillraceError("invalid_request", `The source of "${name}" is a folder, which has no commits.`, {
    remedy: "Send files instead: `millrace plan DIR`.",
  });
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
