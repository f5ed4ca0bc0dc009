import { isDeepStrictEqual } from "node:util";
import { hasErrors, type Problem, treeProblem } from "../definitions/problem.ts";
import type { Tree } from "../git/revision.ts";
import { newUuid } from "../id.ts";
import type { Application, Attempt, FactoryRecord, FactoryStore } from "./factory.ts";
import { findTaken, takenMeanwhile } from "./factory-name.ts";
import type { Outcome, Reason } from "./outcome.ts";
import type { Candidate } from "./prepare.ts";
import type { ReconcileParts, Subject } from "./subject.ts";
import { servedAfter, weigh, written } from "./weigh.ts";

/** More problems than this are counted, not kept: a person reads the first ones, and the store keeps every attempt. */
const MOST_KEPT_PROBLEMS = 200;

/**
 * Brings a revision into force, whole or not at all. What came of it is recorded in one place, at the end. Of a suspended
 * factory that is the revision that it holds, or the one that it is rolled back to.
 */
export async function attempt(
  tree: Tree,
  subject: Subject,
  reason: Reason,
  parts: ReconcileParts,
): Promise<Outcome> {
  const { factory, request } = subject;
  const suspends = reason === "rollback" || factory.sync.status === "suspended";
  const looksAgain = await isInForce(tree, factory, reason, parts.store);
  const {
    loaded,
    target,
    former,
    candidate,
    problems: weighed,
  } = await weigh(tree, subject, looksAgain, parts);
  const valid = candidate !== undefined && !hasErrors(weighed);
  // A name that another factory has explains why the secrets are not this one's, so it stands first.
  const taken =
    candidate && !valid ? await findTaken(candidate.definition, loaded, target.factory, parts) : [];
  const problems = [...taken, ...weighed];
  if (looksAgain && valid && candidate.changes.length === 0 && hasCredentials(candidate, target)) {
    if (!suspends) await restoreStatus(factory, keep(problems), parts.store);
    return { kind: "unchanged" };
  }

  const record: Attempt = {
    id: newUuid(),
    revision: tree.revision,
    at: parts.now().toISOString(),
    problems: keep(problems),
    changes: candidate?.changes ?? [],
    reason,
    principal: request.principal ?? null,
  };
  const recordFailure = suspends ? parts.store.recordRefusal : parts.store.recordFailure;
  if (!valid) {
    await recordFailure(factory.uid, record);
    return { kind: "refused", problems };
  }
  const { definition } = candidate;
  const application: Application = {
    ...record,
    ...written(candidate),
    suspends,
    ...(former && { takesOver: { formerSourceKey: former.sourceKey, replaced: factory } }),
  };
  const applied = await parts.store.apply(target.factory.uid, application);
  if (applied === "suspended") return { kind: "unchanged" };
  if (applied !== "applied") {
    const all = [await takenMeanwhile(applied, definition, loaded, factory, parts), ...problems];
    await recordFailure(factory.uid, { ...record, problems: keep(all) });
    return { kind: "refused", problems: all };
  }
  return { kind: "applied", served: servedAfter(candidate, record.at, parts.sealer) };
}

/** Whether the store has lost no credential: what it lost is taken anew. */
function hasCredentials({ credentials }: Candidate, { served }: Subject): boolean {
  const taken = served?.webhooks.filter(({ credential }) => credential !== undefined).map(({ uid }) => uid);
  return credentials.every(({ webhookUid }) => taken?.includes(webhookUid));
}

/**
 * Whether a pass only looks again at what is in force: then webhooks keep the credentials that they were applied with.
 * Who syncs a folder wants them read anew.
 */
async function isInForce(
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

async function restoreStatus(
  { uid, sync }: FactoryRecord,
  problems: Problem[],
  store: FactoryStore,
): Promise<void> {
  if (sync.status === "synced" && isDeepStrictEqual(problems, sync.problems)) return;
  await store.recordSynced(uid, problems);
}

export function keep(problems: readonly Problem[]): Problem[] {
  if (problems.length <= MOST_KEPT_PROBLEMS) return [...problems];
  const rest = `${problems.length - MOST_KEPT_PROBLEMS} more problems: \`millrace validate\` shows all of them`;
  const [first] = problems;
  return [
    ...problems.slice(0, MOST_KEPT_PROBLEMS),
    treeProblem(first?.code ?? "FF_INVALID_DOCUMENT", rest, "notice"),
  ];
}
