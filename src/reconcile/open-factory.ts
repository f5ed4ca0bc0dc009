import { placeOf } from "../definitions/problem.ts";
import { MillraceError } from "../errors/error.ts";
import type { Log } from "../log.ts";
import { standingOf } from "./commit-standing.ts";
import { adoptUid, endOverlap, retakeSecret } from "./credential-changes.ts";
import type { FactoryRecord, FactorySpec } from "./factory.ts";
import { openMemory } from "./factory-memory.ts";
import { startLoop } from "./loop.ts";
import { applyEdit } from "./managed-edits/edit.ts";
import type { Moved, Outcome, Reason, Request } from "./outcome.ts";
import { appliedRevisionOf, definitionFiles, findDrift, pastTree, triedRevision } from "./past-tree.ts";
import { reconcile } from "./reconcile.ts";
import { findApplied, rollBack } from "./rollback.ts";
import type { RunningFactory } from "./running-factory.ts";
import { evaluate } from "./steps.ts";
import type { ReconcileDeps, Subject } from "./subject.ts";

export interface OpenDeps extends ReconcileDeps {
  log: Log;
  /** Hears of each factory that was looked at with a result, or was suspended or resumed; not of polls without news. */
  onReconciled(factoryUid: string): void;
  /** Whether this server is the one that polls repositories. */
  isLeader?: (() => boolean) | undefined;
  /** Tells what is served now. */
  announce(): void;
}

/**
 * Finds or makes the record of a source, and serves what is stored of it. Nothing is looked at before it is started.
 * @param known the record of a factory that another server has made
 */
export async function openFactory(
  spec: FactorySpec,
  deps: OpenDeps,
  known?: FactoryRecord,
): Promise<RunningFactory> {
  const { store, now } = deps;
  const memory = await openMemory(spec, deps, known);
  const { refresh, reload } = memory;
  let begun: Promise<void> | undefined;
  let watcher: { stop(): Promise<void> } | undefined;
  // Until this version has read the source once, what is stored may have been resolved by an older one.
  let readSinceStart = false;
  let wasAttempted = false;
  // From a resume until the source has been read: what a rollback replaced may come back.
  let isResuming = false;

  const { source, name: sourceName, sourceKey: cacheName } = spec;
  const subjectOf = (request: Request): Subject => {
    const { goesOnWith } = spec;
    return {
      factory: memory.record,
      source,
      sourceName,
      active: memory.active,
      cacheName,
      request,
      ...(goesOnWith && { goesOnWith }),
    };
  };

  const past = (revision: string) =>
    pastTree(revision, { factory: memory.record, source: spec.source }, store);
  const activeTree = async () => past(appliedRevisionOf(subjectOf({})));

  async function pass(asked: Reason, request: Request): Promise<Outcome> {
    const reason = readSinceStart ? asked : "start";
    // Another server on the same store may have applied something.
    await reload();
    const outcome = await planAgain(() => reconcile(subjectOf(request), reason, deps), reload);
    readSinceStart ||= outcome.kind !== "unreadable";
    await settle(outcome);
    if (outcome.kind !== "unreadable") isResuming = false;
    if (outcome.kind !== "unchanged" || reason !== "poll") deps.onReconciled(memory.record.uid);
    return outcome;
  }

  async function settle(outcome: Outcome): Promise<void> {
    await refresh();
    if (outcome.kind === "applied") memory.take(outcome.active);
    report(outcome);
  }

  function report(outcome: Outcome): void {
    const { name, sync } = memory.record;
    if (outcome.kind === "applied") {
      deps.log.info({ factory: name, revision: sync.appliedRevision }, "applied a definition");
    } else if (outcome.kind !== "unchanged") {
      const [first] = outcome.problems;
      const found = first && { place: placeOf(first), problem: first.message };
      deps.log.warn({ factory: name, revision: sync.attemptedRevision, ...found }, outcome.kind);
    }
  }

  const loop = startLoop({ pass, pollMs: spec.pollMs, isLeader: deps.isLeader, log: deps.log });

  return {
    get record() {
      return memory.record;
    },
    get active() {
      return memory.active;
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
      const { status } = memory.record.sync;
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
            { factory: memory.record.name, error },
            "cannot watch the folder; polling it every few seconds",
          ),
      });
      return begun;
    },
    sync: (request) => loop.request("sync", request),
    pushed: () => void loop.request("hook"),
    secretChanged: () => void loop.request("secret"),
    async suspend() {
      await store.suspend(memory.record.uid, now().toISOString());
      await refresh();
      deps.onReconciled(memory.record.uid);
    },
    async resume(request) {
      // After a rollback that goes on, which would suspend the factory again.
      const wasSuspended = await loop.alone(async () => {
        const resumed = await store.resume(memory.record.uid, now().toISOString());
        isResuming ||= resumed;
        return resumed;
      });
      await refresh();
      if (wasSuspended) void loop.request("resume", request);
    },
    async rollback(revision, request = {}) {
      await loop.alone(async () =>
        settle(await planAgain(() => rollBack(revision, subjectOf(request), deps), reload)),
      );
      deps.onReconciled(memory.record.uid);
    },
    reload,
    drift: () => findDrift(subjectOf({}), deps),
    async edit(edit) {
      const { principal } = edit;
      await loop.alone(async () => {
        // Whoever edits here what was edited through another server a moment ago is no second editor.
        await reload();
        await applyEdit(edit, subjectOf({ principal }), deps, settle);
      });
    },
    activeTree,
    appliedTree: async (revision) => past(await findApplied(revision, memory.record.uid, store)),
    async files(asked) {
      const tree =
        asked === undefined
          ? await activeTree()
          : await past(await triedRevision(asked, memory.record.uid, store));
      return { revision: tree.revision.id, files: await definitionFiles(tree) };
    },
    async adopt(webhookUid, formerUid) {
      await loop.alone(async () => {
        const adopter = () => ({ active: memory.active, uid: memory.record.uid });
        await planAgain(() => adoptUid(webhookUid, formerUid, adopter(), deps), reload);
        await reload();
      });
      // What names the old uid finds it now.
      void loop.request("start");
    },
    async retakeSecret(secret) {
      // Not while a pass may still write what the secret was before.
      await loop.alone(async () => {
        await planAgain(() => retakeSecret(secret, memory, deps), reload);
        await reload();
      });
    },
    async endOverlap(webhookUid) {
      await loop.alone(async () => {
        // Another server may have rotated the secret, of which nothing is known here yet.
        await reload();
        await planAgain(() => endOverlap(webhookUid, memory, deps), reload);
        await reload();
      });
    },
    commitStanding: (commit) =>
      standingOf(commit, {
        factory: () => memory.record,
        isResuming: () => isResuming,
        source: spec.source,
        store,
      }),
    async evaluate(tree, request = {}) {
      for (;;) {
        // Nothing that the loop remembers is shared with a plan: a pass may go on meanwhile.
        const { cacheName: _, ...subject } = subjectOf(request);
        const rechecks = tree.revision.id === memory.record.sync.appliedRevision;
        const evaluation = await evaluate(tree, subject, rechecks, deps);
        // That pass may have gone on with another factory, whose name and resources the plan took for a stranger's.
        if (subject.factory.uid === memory.record.uid) return evaluation;
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

/** Each time, another server has got its own change through. */
const MAX_ATTEMPTS = 10;

/**
 * Plans a change of a factory, and plans it again while other servers change the factory between the plan and its
 * transaction.
 * @param reload takes in what they have changed
 * @throws MillraceError `conflict` when that happens too often
 */
async function planAgain<Result>(
  attempt: () => Promise<Result | Moved>,
  reload: () => Promise<void>,
): Promise<Result> {
  for (let left = MAX_ATTEMPTS; left > 0; left -= 1) {
    const result = await attempt();
    if (result !== "moved") return result;
    await reload();
  }
  const message = `The factory was changed through other servers ${MAX_ATTEMPTS} times in a row, each time before this change could be applied.`;
  throw new MillraceError("conflict", message, { remedy: "Try again." });
}
