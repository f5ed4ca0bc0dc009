import { verifiedResource } from "../definitions/changes/plan.ts";
import { placeOf } from "../definitions/problem.ts";
import type { Log } from "../log.ts";
import type { Sealer } from "../secrets/seal.ts";
import { type ActiveDefinition, activeDefinition, definitionOf } from "./active-definition.ts";
import { adoptUid } from "./adopt-uid.ts";
import { standingOf } from "./commit-standing.ts";
import { definitionFiles } from "./definition-files.ts";
import { appliedRevisionOf, findDrift } from "./drift.ts";
import type { FactoryRecord, FactoryStore } from "./factory.ts";
import { type FactorySpec, newFactory } from "./factory-spec.ts";
import { startLoop } from "./loop.ts";
import { applyEdit } from "./managed-edits/edit.ts";
import type { Outcome, Reason, Request } from "./outcome.ts";
import { pastTree, triedRevision } from "./past-tree.ts";
import { evaluate, reconcile } from "./reconcile.ts";
import { retakeSecret } from "./retake-secret.ts";
import { findApplied, rollBack } from "./rollback.ts";
import type { RunningFactory } from "./running-factory.ts";
import type { ReconcileDeps, Subject } from "./subject.ts";

export interface OpenDeps extends ReconcileDeps {
  log: Log;
  /** Hears of each factory that was looked at with a result, or was suspended or resumed; not of polls without news. */
  onReconciled(factoryUid: string): void;
  /** Tells what is served now. */
  announce(): void;
}

/** Finds or makes the record of a source, and serves what is stored of it. Nothing is looked at before it is started. */
export async function openFactory(spec: FactorySpec, deps: OpenDeps): Promise<RunningFactory> {
  const { store, now, sealer, announce } = deps;
  const found = (await store.findBySource(spec.sourceKey)) ?? (await store.create(newFactory(spec, now())));
  // Where millrace keeps a repository depends on where its data folder is now.
  let record: FactoryRecord = { ...found, source: spec.description };
  let active = await loadActive(record.uid, store, sealer);
  let begun: Promise<void> | undefined;
  let watcher: { stop(): Promise<void> } | undefined;
  // Until this version has read the source once, what is stored may have been resolved by an older one.
  let readSinceStart = false;
  let wasAttempted = false;
  // From a resume until the source has been read: what a rollback replaced may come back.
  let isResuming = false;
  let lookups = 0;

  const { source, name: sourceName, sourceKey: cacheName } = spec;
  const subjectOf = (request: Request): Subject => {
    const { goesOnWith } = spec;
    return {
      factory: record,
      source,
      sourceName,
      active,
      cacheName,
      request,
      ...(goesOnWith && { goesOnWith }),
    };
  };

  const activeTree = async () => pastTree(appliedRevisionOf(subjectOf({})), spec.source);

  async function pass(asked: Reason, request: Request): Promise<Outcome> {
    const reason = readSinceStart ? asked : "start";
    const outcome = await reconcile(subjectOf(request), reason, deps);
    readSinceStart ||= outcome.kind !== "unreadable";
    await settle(outcome);
    if (outcome.kind !== "unreadable") isResuming = false;
    if (outcome.kind !== "unchanged" || reason !== "poll") deps.onReconciled(record.uid);
    return outcome;
  }

  async function settle(outcome: Outcome): Promise<void> {
    await refresh();
    if (outcome.kind === "applied") {
      active = outcome.active;
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
      deps.log.info({ factory: name, revision: sync.appliedRevision }, "applied a definition");
    } else if (outcome.kind !== "unchanged") {
      const [first] = outcome.problems;
      const found = first && { place: placeOf(first), problem: first.message };
      deps.log.warn({ factory: name, revision: sync.attemptedRevision, ...found }, outcome.kind);
    }
  }

  const loop = startLoop({ pass, pollMs: spec.pollMs, log: deps.log });

  return {
    get record() {
      return record;
    },
    get active() {
      return active;
    },
    get wasAttempted() {
      return wasAttempted;
    },
    get wasRead() {
      return readSinceStart;
    },
    source,
    sourceName,
    sourceSecrets: spec.secrets,
    ...(spec.forge ? { forge: spec.forge } : {}),
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
          deps.log.warn(
            { factory: record.name, error },
            "cannot watch the folder; polling it every few seconds",
          ),
      });
      return begun;
    },
    sync: (request) => loop.request("sync", request),
    pushed: () => void loop.request("hook"),
    secretChanged: () => void loop.request("secret"),
    async suspend() {
      await store.suspend(record.uid, now().toISOString());
      await refresh();
      deps.onReconciled(record.uid);
    },
    async resume(request) {
      // After a rollback that goes on, which would suspend the factory again.
      const wasSuspended = await loop.alone(async () => {
        const resumed = await store.resume(record.uid, now().toISOString());
        isResuming ||= resumed;
        return resumed;
      });
      await refresh();
      if (wasSuspended) void loop.request("resume", request);
    },
    async rollback(revision, request = {}) {
      await loop.alone(async () => settle(await rollBack(revision, subjectOf(request), deps)));
      deps.onReconciled(record.uid);
    },
    drift: () => findDrift(subjectOf({}), deps),
    async edit(edit) {
      const { principal } = edit;
      await loop.alone(() => applyEdit(edit, subjectOf({ principal }), deps, settle));
    },
    activeTree,
    appliedTree: async (revision) => pastTree(await findApplied(revision, record.uid, store), spec.source),
    async files(asked) {
      const tree =
        asked === undefined
          ? await activeTree()
          : await pastTree(await triedRevision(asked, record.uid, store), spec.source);
      return { revision: tree.revision.id, files: await definitionFiles(tree) };
    },
    async adopt(webhookUid, formerUid) {
      await loop.alone(async () => {
        await adoptUid(webhookUid, formerUid, { active, uid: record.uid }, deps);
        active = await loadActive(record.uid, store, sealer);
        announce();
      });
      // What names the old uid finds it now.
      void loop.request("start");
    },
    async retakeSecret(name) {
      // Not while a pass may still write what the secret was before.
      await loop.alone(async () => {
        await retakeSecret(name, { record, active }, deps);
        active = await loadActive(record.uid, store, sealer);
        announce();
      });
    },
    commitStanding: (commit) =>
      standingOf(commit, {
        factory: () => record,
        isResuming: () => isResuming,
        source: spec.source,
        store,
      }),
    async evaluate(tree, request = {}) {
      for (;;) {
        // Nothing that the loop remembers is shared with a plan: a pass may go on meanwhile.
        const { cacheName: _, ...subject } = subjectOf(request);
        const rechecks = tree.revision.id === record.sync.appliedRevision;
        const evaluation = await evaluate(tree, subject, rechecks, deps);
        // That pass may have gone on with another factory, whose name and resources the plan took for a stranger's.
        if (subject.factory.uid === record.uid) return evaluation;
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
async function loadActive(
  uid: string,
  store: FactoryStore,
  sealer: Sealer,
): Promise<ActiveDefinition | undefined> {
  // A row that somebody has changed by hand is told from the rest by what it says, and put right by the first pass.
  const resources = (await store.listResources(uid)).map(verifiedResource);
  const definition = definitionOf(resources);
  return definition && activeDefinition(definition, resources, await store.listCredentials(uid), sealer);
}
