import { hasErrors, type Problem, treeProblem } from "../definitions/problem.ts";
import { errorMessage } from "../errors/error.ts";
import { SourceError, SourceStopped, type Tree } from "../git/revision.ts";
import {
  applyWithFiles,
  attemptOf,
  definitionAfter,
  keep,
  keepActiveFiles,
  restoreStatus,
  written,
} from "./apply.ts";
import type { Application, FactoryRecord, FactoryStore, SyncState } from "./factory.ts";
import { takenMeanwhile } from "./factory-name.ts";
import type { Moved, Outcome, Reason } from "./outcome.ts";
import { pastTree } from "./past-tree.ts";
import { type Candidate, evaluate } from "./steps.ts";
import type { ReconcileDeps, Subject } from "./subject.ts";

/**
 * Looks at the source once. What is new there comes into force with everything that belongs to it, or leaves all as it
 * was and its problems on record. Whatever ends it early is recorded too: a factory that cannot be reconciled must not
 * look as if it were.
 * @returns "moved" when something else has come into force since it was planned
 */
export async function reconcile(
  subject: Subject,
  reason: Reason,
  deps: ReconcileDeps,
): Promise<Outcome | Moved> {
  if (subject.factory.sync.status === "suspended") return reconcileSuspended(subject, reason, deps);
  try {
    await subject.source.branch?.settle(subject.factory.sync.appliedRevision);
    const tree = await subject.source.latest();
    if (!isNews(tree, subject.factory, reason)) return { kind: "unchanged" };
    return await attempt(tree, subject, reason, deps);
  } catch (error) {
    if (error instanceof SourceStopped) return { kind: "unchanged" };
    const problems = [whyNothingWasAttempted(error)];
    await deps.store.recordUnreadable(subject.factory.uid, problems);
    return { kind: "unreadable", problems };
  }
}

/**
 * The source of a suspended factory is left alone. At the start, what is in force is still looked at as this version
 * reads it, where its revision is at hand.
 */
async function reconcileSuspended(
  subject: Subject,
  reason: Reason,
  deps: ReconcileDeps,
): Promise<Outcome | Moved> {
  const { appliedRevision } = subject.factory.sync;
  if (reason !== "start" || appliedRevision === null) return { kind: "unchanged" };
  try {
    await subject.source.branch?.settle(appliedRevision).catch(() => {});
    return await attempt(await pastTree(appliedRevision, subject, deps.store), subject, reason, deps);
  } catch {
    return { kind: "unchanged" };
  }
}

/**
 * Brings a revision into force, whole or not at all. What came of it is recorded in one place, at the end. Of a suspended
 * factory that is the revision that it holds, or the one that it is rolled back to.
 */
export async function attempt(
  given: Tree,
  subject: Subject,
  reason: Reason,
  deps: ReconcileDeps,
): Promise<Outcome | Moved> {
  const { factory, request } = subject;
  const tree = readOnce(given);
  const suspends = reason === "rollback" || factory.sync.status === "suspended";
  const rechecks = await isRecheck(tree, factory, reason, deps.store);
  const evaluation = await evaluate(tree, subject, rechecks, deps);
  const { loaded, target, former, candidate, taken } = evaluation;
  const valid = candidate !== undefined && !hasErrors(evaluation.problems);
  // A name that another factory has explains why the secrets are not this one's, so it stands first.
  const problems = valid ? evaluation.problems : [...taken, ...evaluation.problems];
  if (rechecks && valid && candidate.changes.length === 0 && hasCredentials(candidate, target)) {
    if (!suspends) await restoreStatus(factory, keep(problems), deps.store);
    if (reason === "start") await keepActiveFiles(factory.uid, tree, deps.store);
    return { kind: "unchanged" };
  }

  const record = attemptOf(
    tree.revision,
    { candidate, problems },
    reason,
    request.principal ?? null,
    deps.now(),
  );
  if (!valid) return refuse(problems);
  const history = subject.source.branch?.history(tree.revision.id, factory.sync.appliedRevision);
  const application: Application = {
    ...record,
    ...written(candidate),
    suspends,
    ...(former && { takesOver: { formerSourceKey: former.sourceKey, replaced: factory } }),
  };
  const applied = await applyWithFiles(target.factory.uid, application, { tree, history }, deps.store);
  if (applied === "moved") return applied;
  if (applied === "suspended") return { kind: "unchanged" };
  if (typeof applied === "string") {
    const taken = await takenMeanwhile(applied, candidate.definition, loaded, factory, deps);
    return refuse([taken, ...problems]);
  }
  const { generation } = applied;
  return { kind: "applied", active: definitionAfter(candidate, { generation, at: record.at }, deps.sealer) };

  async function refuse(problems: Problem[]): Promise<Outcome> {
    const recordFailure = suspends ? deps.store.recordRefusal : deps.store.recordFailure;
    await recordFailure(factory.uid, { ...record, problems: keep(problems) });
    return { kind: "refused", problems };
  }
}

/**
 * Whether the store has lost no credential: what it lost is taken anew, and a previous secret that had no value. Somebody may have
 * ended the overlap of a suspended factory.
 */
function hasCredentials({ credentials }: Candidate, { active, factory }: Subject): boolean {
  const taken = new Map(active?.webhooks.map((webhook) => [webhook.uid, webhook]));
  const isSuspended = factory.sync.status === "suspended";
  return credentials.every(({ webhookUid, previous }) => {
    const webhook = taken.get(webhookUid);
    if (webhook?.credential === undefined) return false;
    return isSuspended || !previous || webhook.previous !== undefined;
  });
}

function whyNothingWasAttempted(error: unknown): Problem {
  if (error instanceof SourceError) return treeProblem(error.code, error.message);
  const message =
    `the definition could not be applied: ${errorMessage(error)}. ` +
    "The previous definition stays active, and millrace will retry";
  return treeProblem("RECONCILE_FAILED", message);
}

/** Whether there is anything to attempt: a revision that was not attempted yet, or a reason to attempt it again. */
function isNews(tree: Tree, { mode, sync }: FactoryRecord, reason: Reason): boolean {
  if (tree.revision.id !== sync.attemptedRevision || reason === "start" || endedEarly(sync)) return true;
  if (reason === "sync" && mode === "folder") return true;
  // Of what is in force, only what there is to warn of can be another: credentials stay as they were taken.
  if (reason === "secret") return true;
  return (reason === "sync" || reason === "resume") && sync.status === "failed";
}

/** Whether the last pass came to no result, so that the status says nothing of the revision. */
function endedEarly({ problems }: SyncState): boolean {
  return problems.some(({ code }) => code.startsWith("GIT_") || code === "RECONCILE_FAILED");
}

/**
 * Whether a pass only looks again at what is in force: then webhooks keep the credentials that they were applied with.
 * Who syncs a folder wants them read anew.
 */
async function isRecheck(
  { revision }: Tree,
  { uid, mode, sync }: FactoryRecord,
  reason: Reason,
  store: FactoryStore,
): Promise<boolean> {
  if (revision.id !== sync.appliedRevision) return false;
  if (sync.status === "suspended" && reason === "start") return true;
  if (revision.id !== sync.attemptedRevision) return false;
  if (reason === "sync" && mode === "folder") return false;
  const newest = await store.listRevisions(uid, { limit: 10 });
  return newest.find((attempt) => attempt.reason !== "rollback")?.outcome !== "failed";
}

/** A tree whose contents are read once for all who want them: to check it, and to store it. */
function readOnce(tree: Tree): Tree {
  const known = new Map<string, Buffer>();
  return {
    ...tree,
    async read(wanted) {
      const unknown = wanted.filter(({ id }) => !known.has(id));
      if (unknown.length > 0) for (const [id, bytes] of await tree.read(unknown)) known.set(id, bytes);
      return new Map(
        wanted.flatMap(({ id }) => {
          const bytes = known.get(id);
          return bytes ? [[id, bytes]] : [];
        }),
      );
    },
  };
}
