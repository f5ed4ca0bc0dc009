import { verifiedResource } from "../definitions/plan.ts";
import { placeOf } from "../definitions/problem.ts";
import type { Tree } from "../git/revision.ts";
import type { Sealer } from "../secrets/seal.ts";
import { adoptUid } from "./adopt-uid.ts";
import { type DefinitionFile, definitionFiles } from "./definition-files.ts";
import { appliedRevisionOf, type Drift, findDrift } from "./drift.ts";
import { applyEdit, type Edit } from "./edit.ts";
import type { FactoriesParts, Factory, FactorySpec } from "./factories.ts";
import type { FactoryRecord, FactoryStore } from "./factory.ts";
import { startLoop } from "./loop.ts";
import { newFactory } from "./new-factory.ts";
import type { Outcome, Reason, Request } from "./outcome.ts";
import { pastTree, triedRevision } from "./past-tree.ts";
import { type PlanSubject, treeFor } from "./plan-subject.ts";
import { type PlannedTree, planTree } from "./plan-tree.ts";
import { reconcile } from "./reconcile.ts";
import { retakeSecret } from "./retake-secret.ts";
import { rollBack } from "./rollback.ts";
import { definitionOf, type ServedDefinition, serveDefinition } from "./served.ts";
import { type Standing, standingOf } from "./standing.ts";
import type { ReconcileParts, Subject } from "./subject.ts";

/** A factory with what keeps it in step. */
export interface RunningFactory extends Factory {
  /** Whether the last pass has ended well. */
  readonly isSettled: boolean;
  /** Begins to look at the source; twice is as good as once. @returns when the first pass has ended */
  start(): Promise<void>;
  request(reason: Reason, request?: Request): Promise<void>;
  suspend(): Promise<void>;
  resume(request?: Request): Promise<void>;
  rollback(revision: string, request?: Request): Promise<void>;
  edit(edit: Edit): Promise<void>;
  inForce(): Promise<Tree>;
  standing(commit: string): Promise<Standing>;
  drift(): Promise<Drift>;
  files(revision?: string): Promise<{ revision: string; files: DefinitionFile[] }>;
  adopt(webhookUid: string, formerUid: string): Promise<void>;
  plan(subject: PlanSubject): Promise<PlannedTree>;
  /** Has its webhooks go by the value that a secret has now. */
  retakeSecret(name: string): Promise<void>;
  /** Ends with something after which there is nothing to keep in step, which no pass goes beside. */
  leave<Result>(work: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

export interface OpenParts extends FactoriesParts, ReconcileParts {
  /** Tells what is served now. */
  announce(): void;
}

/** Finds or makes the record of a source, and serves what is stored of it. Nothing is looked at before it is started. */
export async function openFactory(spec: FactorySpec, parts: OpenParts): Promise<RunningFactory> {
  const { store, now, sealer, announce } = parts;
  const found = (await store.findBySource(spec.sourceKey)) ?? (await store.create(newFactory(spec, now())));
  // Where millrace keeps a repository depends on where its data folder is now.
  let record: FactoryRecord = { ...found, source: spec.description };
  let served = await serveStored(record.uid, store, sealer);
  let begun: Promise<void> | undefined;
  let watcher: { stop(): Promise<void> } | undefined;
  // Until this version has read the source once, what is stored may have been resolved by an older one.
  let readSinceStart = false;
  let wasAttempted = false;
  let lookups = 0;

  const { source, name: sourceName, sourceKey: cacheName } = spec;
  const subjectOf = (request: Request): Subject => {
    return { factory: record, source, sourceName, served, cacheName, request };
  };

  const inForce = () => pastTree(appliedRevisionOf(subjectOf({})), spec.source);

  async function pass(asked: Reason, request: Request): Promise<Outcome> {
    const reason = readSinceStart ? asked : "start";
    const outcome = await reconcile(subjectOf(request), reason, parts);
    readSinceStart ||= outcome.kind !== "unreadable";
    await settle(outcome);
    if (outcome.kind !== "unchanged" || reason !== "poll") parts.onPassed(record.uid);
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
    if (found && own === lookups) record = { ...found, source: spec.description };
  }

  function report(outcome: Outcome): void {
    const { name, sync } = record;
    if (outcome.kind === "applied") {
      parts.log.info({ factory: name, revision: sync.appliedRevision }, "applied a definition");
    } else if (outcome.kind !== "unchanged") {
      const [first] = outcome.problems;
      const found = first && { place: placeOf(first), problem: first.message };
      parts.log.warn({ factory: name, revision: sync.attemptedRevision, ...found }, outcome.kind);
    }
  }

  const loop = startLoop({ pass, pollMs: spec.pollMs, log: parts.log });

  return {
    get record() {
      return record;
    },
    get served() {
      return served;
    },
    get wasAttempted() {
      return wasAttempted;
    },
    get wasRead() {
      return readSinceStart;
    },
    sourceName: spec.name,
    sourceSecrets: spec.secrets,
    ...(spec.codeHost ? { codeHost: spec.codeHost } : {}),
    hookSecret: async () => spec.hookSecret?.(),
    get isSettled() {
      const { status } = record.sync;
      return status === "suspended" || (status === "synced" && !loop.isRunning);
    },
    start() {
      // Somebody may add a factory, which starts it, before all others are started.
      if (begun) return begun;
      begun = loop.request("start").then(() => {
        wasAttempted = true;
      });
      watcher = spec.watch?.({
        onChange: () => void loop.request("change"),
        onTrouble: (error) =>
          parts.log.warn(
            { factory: record.name, error },
            "cannot watch the folder; reads it every few seconds",
          ),
      });
      return begun;
    },
    request: loop.request,
    async suspend() {
      await store.suspend(record.uid, now().toISOString());
      await refresh();
      parts.onPassed(record.uid);
    },
    async resume(request) {
      // After a rollback that goes on, which would suspend the factory again.
      const wasSuspended = await loop.alone(() => store.resume(record.uid, now().toISOString()));
      await refresh();
      if (wasSuspended) void loop.request("resume", request);
    },
    async rollback(revision, request = {}) {
      await loop.alone(async () => settle(await rollBack(revision, subjectOf(request), parts)));
      parts.onPassed(record.uid);
    },
    drift: () => findDrift(subjectOf({}), parts),
    async edit(edit) {
      const { principal } = edit;
      await loop.alone(() => applyEdit(edit, subjectOf({ principal }), parts, settle));
    },
    inForce,
    async files(asked) {
      const tree =
        asked === undefined
          ? await inForce()
          : await pastTree(await triedRevision(asked, record.uid, store), spec.source);
      return { revision: tree.revision.id, files: await definitionFiles(tree) };
    },
    async adopt(webhookUid, formerUid) {
      await loop.alone(async () => {
        await adoptUid(webhookUid, formerUid, { served, uid: record.uid }, parts);
        served = await serveStored(record.uid, store, sealer);
        announce();
      });
      // What names the old uid finds it now.
      void loop.request("start");
    },
    async retakeSecret(name) {
      // Not while a pass may still write what the secret was before.
      await loop.alone(async () => {
        await retakeSecret(name, { record, served }, parts);
        served = await serveStored(record.uid, store, sealer);
        announce();
      });
    },
    standing: (commit) => standingOf(commit, { factory: () => record, source: spec.source, store }),
    async plan(subject) {
      const tree = await treeFor(subject, spec);
      for (;;) {
        // Nothing that the loop remembers is shared with a plan: a pass may go on meanwhile.
        const { cacheName: _, ...subjectOfPlan } = subjectOf({});
        const planned = await planTree(tree, subjectOfPlan, parts);
        // That pass may have gone on with another factory, whose name and resources the plan took for a stranger's.
        if (subjectOfPlan.factory.uid === record.uid) return planned;
      }
    },
    async leave(work) {
      const result = await loop.alone(async () => {
        const done = await work();
        // Before a pass that waits for this begins.
        void loop.stop();
        return done;
      });
      await watcher?.stop();
      return result;
    },
    async stop() {
      await watcher?.stop();
      await loop.stop();
    },
  };
}

/** What was in force when the server stopped; nothing for a factory that never had a valid definition. */
async function serveStored(
  uid: string,
  store: FactoryStore,
  sealer: Sealer,
): Promise<ServedDefinition | undefined> {
  // A row that somebody has changed by hand is told from the rest by what it says, and put right by the first pass.
  const resources = (await store.listResources(uid)).map(verifiedResource);
  const definition = definitionOf(resources);
  return definition && serveDefinition(definition, resources, await store.listCredentials(uid), sealer);
}
