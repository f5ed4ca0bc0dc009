import { placeOf } from "../definitions/problem.ts";
import { MillraceError } from "../errors/error.ts";
import type { Tree } from "../git/revision.ts";
import type { Log } from "../log.ts";
import { standingOf } from "./commit-standing.ts";
import { adoptUid, endOverlap, retakeSecret } from "./credential-changes.ts";
import type { FactoryRecord, FactorySpec } from "./factory.ts";
import { type FactoryMemory, openMemory } from "./factory-memory.ts";
import { type Loop, startLoop } from "./loop.ts";
import { applyEdit, type Edit } from "./managed-edits/edit.ts";
import type { Moved, Outcome, Reason, Request } from "./outcome.ts";
import { appliedRevisionOf, definitionFiles, findDrift, pastTree, triedRevision } from "./past-tree.ts";
import { reconcile } from "./reconcile.ts";
import { findApplied, rollBack } from "./rollback.ts";
import type { RunningFactory } from "./running-factory.ts";
import { evaluate } from "./steps.ts";
import type { ReconcileDeps, Subject } from "./subject.ts";
import type { SecretRotation } from "./webhook-credentials.ts";

export interface OpenDeps extends ReconcileDeps {
  log: Log;
  /** Hears of each factory that was looked at with a result, or was suspended or resumed; not of polls without news. */
  onReconciled(factoryUid: string): void;
  /** Whether this server is the one that polls repositories. */
  isLeader?: (() => boolean) | undefined;
  /** Tells what is served now. */
  announce(): void;
}

/** Each time, another server has got its own change through. */
const MAX_ATTEMPTS = 10;

/**
 * Finds or makes the record of a source, and serves what is stored of it. Nothing is looked at before it is started.
 * @param known the record of a factory that another server has made
 */
export async function openFactory(
  spec: FactorySpec,
  deps: OpenDeps,
  known?: FactoryRecord,
): Promise<RunningFactory> {
  return new OpenFactory(spec, deps, await openMemory(spec, deps, known));
}

class OpenFactory implements RunningFactory {
  readonly #spec: FactorySpec;
  readonly #deps: OpenDeps;
  readonly #memory: FactoryMemory;
  readonly #loop: Loop;
  #begun: Promise<void> | undefined;
  #watcher: { stop(): Promise<void> } | undefined;
  #wasAttempted = false;
  // Until this version has read the source once, what is stored may have been resolved by an older one.
  #wasRead = false;
  // From a resume until the source has been read: what a rollback replaced may come back.
  #isResuming = false;

  constructor(spec: FactorySpec, deps: OpenDeps, memory: FactoryMemory) {
    const { isLeader, log } = deps;
    this.#spec = spec;
    this.#deps = deps;
    this.#memory = memory;
    const pass = (reason: Reason, request: Request) => this.#pass(reason, request);
    this.#loop = startLoop({ pass, pollMs: spec.pollMs, isLeader, log });
  }

  get record() {
    return this.#memory.record;
  }
  get active() {
    return this.#memory.active;
  }
  get wasAttempted() {
    return this.#wasAttempted;
  }
  get wasRead() {
    return this.#wasRead;
  }
  get source() {
    return this.#spec.source;
  }
  get sourceName() {
    return this.#spec.name;
  }
  get sourceSecrets() {
    return this.#spec.secrets;
  }
  get forge() {
    return this.#spec.forge;
  }
  get isSettled() {
    const { status } = this.record.sync;
    return status === "suspended" || (status === "synced" && !this.#loop.isRunning);
  }
  async hookSecret() {
    return this.#spec.hookSecret?.();
  }

  start() {
    // Somebody may add a factory, which starts it, before all others are started.
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  async #begin(): Promise<void> {
    const firstPass = this.#loop.request("start");
    this.#watcher = this.#spec.watch?.({
      onChange: () => void this.#loop.request("change"),
      onTrouble: (error) =>
        this.#deps.log.warn(
          { factory: this.record.name, error },
          "cannot watch the folder; polling it every few seconds",
        ),
    });
    await firstPass;
    this.#wasAttempted = true;
  }

  sync(request?: Request) {
    return this.#loop.request("sync", request);
  }

  pushed() {
    void this.#loop.request("hook");
  }

  secretChanged() {
    void this.#loop.request("secret");
  }

  async suspend() {
    await this.#deps.store.suspend(this.record.uid, this.#deps.now().toISOString());
    await this.#memory.refresh();
    this.#deps.onReconciled(this.record.uid);
  }

  async resume(request?: Request) {
    // After a rollback that goes on, which would suspend the factory again.
    const wasSuspended = await this.#loop.alone(async () => {
      const resumed = await this.#deps.store.resume(this.record.uid, this.#deps.now().toISOString());
      this.#isResuming ||= resumed;
      return resumed;
    });
    await this.#memory.refresh();
    if (wasSuspended) void this.#loop.request("resume", request);
  }

  async rollback(revision: string, request: Request = {}) {
    await this.#loop.alone(async () =>
      this.#settle(await this.#planAgain(() => rollBack(revision, this.#subject(request), this.#deps))),
    );
    this.#deps.onReconciled(this.record.uid);
  }

  async edit(edit: Edit) {
    const { principal } = edit;
    await this.#loop.alone(async () => {
      // Whoever edits here what was edited through another server a moment ago is no second editor.
      await this.reload();
      await applyEdit(edit, this.#subject({ principal }), this.#deps, (outcome) => this.#settle(outcome));
    });
  }

  async activeTree() {
    return this.#past(appliedRevisionOf(this.#subject({})));
  }

  async appliedTree(revision: string) {
    return this.#past(await findApplied(revision, this.record.uid, this.#deps.store));
  }

  async files(asked?: string) {
    const tree =
      asked === undefined
        ? await this.activeTree()
        : await this.#past(await triedRevision(asked, this.record.uid, this.#deps.store));
    return { revision: tree.revision.id, files: await definitionFiles(tree) };
  }

  drift() {
    return findDrift(this.#subject({}), this.#deps);
  }

  commitStanding(commit: string) {
    return standingOf(commit, {
      factory: () => this.record,
      isResuming: () => this.#isResuming,
      source: this.source,
      store: this.#deps.store,
    });
  }

  async adopt(webhookUid: string, formerUid: string) {
    await this.#changeCredential(() => {
      const adopter = { active: this.active, uid: this.record.uid };
      return adoptUid(webhookUid, formerUid, adopter, this.#deps);
    });
    // What names the old uid finds it now.
    void this.#loop.request("start");
  }

  /** Not while a pass may still write what the secret was before. */
  async retakeSecret(secret: SecretRotation) {
    await this.#changeCredential(() => retakeSecret(secret, this.#memory, this.#deps));
  }

  async endOverlap(webhookUid: string) {
    await this.#loop.alone(async () => {
      // Another server may have rotated the secret, of which nothing is known here yet.
      await this.reload();
      await this.#planAgain(() => endOverlap(webhookUid, this.#memory, this.#deps));
      await this.reload();
    });
  }

  async #changeCredential(change: () => Promise<unknown>): Promise<void> {
    await this.#loop.alone(async () => {
      await this.#planAgain(change);
      await this.reload();
    });
  }

  async evaluate(tree: Tree, request: Request = {}) {
    for (;;) {
      // Nothing that the loop remembers is shared with a plan: a pass may go on meanwhile.
      const { cacheName: _, ...subject } = this.#subject(request);
      const rechecks = tree.revision.id === this.record.sync.appliedRevision;
      const evaluation = await evaluate(tree, subject, rechecks, this.#deps);
      // That pass may have gone on with another factory, whose name and resources the plan took for a stranger's.
      if (subject.factory.uid === this.record.uid) return evaluation;
    }
  }

  reload() {
    return this.#memory.reload();
  }

  async leave<Result>(work: () => Promise<Result>) {
    const result = await this.#loop.alone(async () => {
      const done = await work();
      // Before a pass that waits for this begins.
      void this.#loop.stop();
      return done;
    });
    await this.#watcher?.stop();
    return result;
  }

  async stop() {
    await this.#watcher?.stop();
    await this.#loop.stop();
  }

  #subject(request: Request): Subject {
    const { source, name: sourceName, sourceKey: cacheName, goesOnWith } = this.#spec;
    const { record: factory, active } = this.#memory;
    return { factory, source, sourceName, active, cacheName, request, ...(goesOnWith && { goesOnWith }) };
  }

  #past(revision: string): Promise<Tree> {
    return pastTree(revision, { factory: this.record, source: this.source }, this.#deps.store);
  }

  async #pass(asked: Reason, request: Request): Promise<Outcome> {
    const reason = this.#wasRead ? asked : "start";
    // Another server on the same store may have applied something.
    await this.reload();
    const outcome = await this.#planAgain(() => reconcile(this.#subject(request), reason, this.#deps));
    const wasRead = outcome.kind !== "unreadable";
    this.#wasRead ||= wasRead;
    await this.#settle(outcome);
    if (wasRead) this.#isResuming = false;
    if (outcome.kind !== "unchanged" || reason !== "poll") this.#deps.onReconciled(this.record.uid);
    return outcome;
  }

  async #settle(outcome: Outcome): Promise<void> {
    await this.#memory.refresh();
    if (outcome.kind === "applied") this.#memory.take(outcome.active);
    this.#report(outcome);
  }

  #report(outcome: Outcome): void {
    const { name, sync } = this.record;
    const { log } = this.#deps;
    if (outcome.kind === "applied") {
      log.info({ factory: name, revision: sync.appliedRevision }, "applied a definition");
    } else if (outcome.kind !== "unchanged") {
      const [first] = outcome.problems;
      const found = first && { place: placeOf(first), problem: first.message };
      log.warn({ factory: name, revision: sync.attemptedRevision, ...found }, outcome.kind);
    }
  }

  /**
   * Plans a change of the factory, and plans it again while other servers change the factory between the plan and its
   * transaction.
   * @throws MillraceError `conflict` when that happens too often
   */
  async #planAgain<Result>(attempt: () => Promise<Result | Moved>): Promise<Result> {
    for (let left = MAX_ATTEMPTS; left > 0; left -= 1) {
      const result = await attempt();
      if (result !== "moved") return result;
      await this.reload();
    }
    const message = `The factory was changed through other servers ${MAX_ATTEMPTS} times in a row, each time before this change could be applied.`;
    throw new MillraceError("conflict", message, { remedy: "Try again." });
  }
}
