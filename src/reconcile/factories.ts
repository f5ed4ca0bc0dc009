import { errorMessage, MillraceError } from "../error.ts";
import type { CodeHost } from "../forge/code-host.ts";
import type { Source, Tree } from "../git/revision.ts";
import type { Log } from "../log.ts";
import { addFactory } from "./add-factory.ts";
import { secretNamesOf } from "./check-server.ts";
import type { DefinitionFile } from "./definition-files.ts";
import type { Drift } from "./drift.ts";
import type { Edit } from "./edit.ts";
import type { FactoryMode, FactoryRecord, FactorySource } from "./factory.ts";
import type { Request } from "./outcome.ts";
import type { PlanSubject } from "./plan-subject.ts";
import type { PlannedTree } from "./plan-tree.ts";
import { removeFactory } from "./remove-factory.ts";
import { outOfReach, type Retaken, webhooksWith } from "./retake-secret.ts";
import { openFactory, type RunningFactory } from "./running-factory.ts";
import type { ServedDefinition } from "./served.ts";
import type { Standing } from "./standing.ts";
import type { ReconcileParts } from "./subject.ts";

/** A source to keep a factory in step with. */
export interface FactorySpec {
  /** Of a factory that millrace keeps: where its repository is goes by it. */
  uid?: string;
  /** The same source has the same key after a restart. */
  sourceKey: string;
  /** The name of the factory until its first valid definition names it. */
  name: string;
  mode: FactoryMode;
  description: FactorySource;
  source: Source;
  /** Names of the managed secrets that the source is opened with. */
  secrets: readonly string[];
  /** What its git host signs push hooks with, as it is now; nothing where it may send none. */
  hookSecret?: () => Promise<string | undefined>;
  /** Who is told how pull requests and commits stand; nothing where nobody is. */
  codeHost?: CodeHost;
  pollMs: number | undefined;
  /** Whether the settings or the command line name it: then the next start makes it again. */
  isNamed?: boolean;
  /** Tells of changes; nothing for a source that is polled. */
  watch?: (listener: { onChange(): void; onTrouble(why: string): void }) => { stop(): Promise<void> };
}

/** A factory on this server: as recorded, and what of it is in force. */
export interface Factory {
  readonly record: FactoryRecord;
  readonly served: ServedDefinition | undefined;
  /** Whether an attempt to read its source has ended since the start, well or not. */
  readonly wasAttempted: boolean;
  /** Whether its source was read since the server started, so that what is served is what the source has, or had. */
  readonly wasRead: boolean;
  /** What its source is called, which names it until its first valid definition does. */
  readonly sourceName: string;
  /** Names of the managed secrets that its source is opened with. */
  readonly sourceSecrets: readonly string[];
  /** What its git host signs push hooks with, as it is now. */
  hookSecret(): Promise<string | undefined>;
  /** Who is told how its pull requests and commits stand; nothing where nobody is. */
  readonly codeHost?: CodeHost;
}

export interface FactoriesParts extends Omit<ReconcileParts, "isServed"> {
  log: Log;
  /** Hears of each definition that comes into force, the stored ones at the start included. */
  onServed(factories: readonly Factory[]): void;
  /** Hears of each factory that was looked at with a result, or was suspended or resumed; not of polls without news. */
  onPassed(factoryUid: string): void;
}

/** Every factory of this server, each kept in step with its source. */
export interface Factories {
  /**
   * Begins to look at the sources. Until then, and until it has, what is stored of them is served.
   * @returns when each was looked at once
   */
  start(): Promise<void>;
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
  /**
   * Changes a definition that millrace keeps: one change at a time, all of it or nothing.
   * @throws MillraceError that says why nothing has changed
   */
  edit(uid: string, edit: Edit): Promise<Factory>;
  /**
   * Makes a factory of this name, and brings it into force.
   * @throws MillraceError `conflict` when the name is taken
   */
  add(spec: FactorySpec): Promise<Factory>;
  /**
   * Serves a factory no more while something takes it out of the store. When that fails, it is served again.
   * @returns what it returns
   */
  remove<Result>(uid: string, takeOut: () => Promise<Result>): Promise<Result>;
  /** The tree of the revision in force. @throws MillraceError `conflict` when it cannot be had */
  inForce(uid: string): Promise<Tree>;
  /** How a factory stands to a commit. */
  standing(uid: string, commit: string): Promise<Standing>;
  /** How what is stored differs from the revision in force. @throws MillraceError `conflict` when that cannot be told */
  drift(uid: string): Promise<Drift>;
  /**
   * The files of the revision in force, or of another that was tried.
   * @throws MillraceError `conflict` when they cannot be had, `resource_not_found` for a revision that was never tried
   */
  files(uid: string, revision?: string): Promise<{ revision: string; files: DefinitionFile[] }>;
  /**
   * Gives a webhook the uid that it had in a store that is lost, so that its senders need no other URL.
   * @throws MillraceError `conflict` when something else has that uid, `resource_not_found` for a webhook that is not there
   */
  adopt(uid: string, webhookUid: string, formerUid: string): Promise<Factory>;
  /**
   * What would change if something came into force. Nothing is written.
   * @throws SourceError when the source cannot be read, MillraceError `invalid_request` when it has no other places
   */
  plan(uid: string, subject: PlanSubject): Promise<PlannedTree>;
  /**
   * A secret was set or deleted. Factories whose last attempt failed, or goes on and may have missed it, try again; those
   * whose definition names it look again at what there is to warn of.
   */
  secretChanged(name: string): void;
  /**
   * A secret was rotated in one factory: the webhooks of all others that go by it and that millrace keeps take its new
   * value, each for itself. @returns those that have taken it, and those that have not, with the reasons
   */
  retakeSecret(name: string, rotatedIn: string): Promise<Retaken>;
  stop(): Promise<void>;
}

/** Opens the factory of each source, and serves what is stored of it. */
export async function openFactories(
  specs: readonly FactorySpec[],
  parts: FactoriesParts,
): Promise<Factories> {
  const running: RunningFactory[] = [];
  const isServed = (uid: string) => running.some(({ record }) => record.uid === uid);
  const announce = () => {
    letGo(running);
    parts.onServed(running);
  };
  const opening = { ...parts, isServed, announce };
  for (const spec of specs) running.push(await openFactory(spec, opening));
  announce();

  const find = (uidOrName: string) =>
    running.find(({ record }) => record.uid === uidOrName) ??
    running.find(({ record }) => record.name === uidOrName);
  const findOrThrow = (uid: string) => {
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
    drift: async (uid) => findOrThrow(uid).drift(),
    files: async (uid, revision) => findOrThrow(uid).files(revision),
    async adopt(uid, webhookUid, formerUid) {
      const factory = findOrThrow(uid);
      await factory.adopt(webhookUid, formerUid);
      return factory;
    },
    async edit(uid, edit) {
      const factory = findOrThrow(uid);
      await factory.edit(edit);
      return factory;
    },
    add: addFactory(running, opening),
    remove: async (uid, takeOut) => removeFactory(findOrThrow(uid), takeOut, { running, announce }),
    inForce: async (uid) => findOrThrow(uid).inForce(),
    standing: async (uid, commit) => findOrThrow(uid).standing(commit),
    plan: async (uid, subject) => findOrThrow(uid).plan(subject),
    secretChanged(name) {
      const names = ({ served }: RunningFactory) => served && secretNamesOf(served.definition).includes(name);
      for (const factory of running) if (!factory.isSettled || names(factory)) void factory.request("secret");
    },
    async retakeSecret(name, rotatedIn) {
      const retaken: Retaken = { taken: [], left: [] };
      for (const factory of running.filter(({ record }) => record.uid !== rotatedIn)) {
        const sharing = webhooksWith(name, factory);
        if (sharing.length === 0) continue;
        const reason = outOfReach(factory) ?? (await factory.retakeSecret(name).then(() => "", errorMessage));
        if (reason === "") retaken.taken.push(...sharing);
        else retaken.left.push(...sharing.map((webhook) => ({ ...webhook, reason })));
      }
      return retaken;
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
