import type { RepositoryForge } from "../forge/repository-forge.ts";
import type { FactoryStore } from "../reconcile/factory.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { type CommitOutcome, outcomeOfAttempt, outcomeOfSuspension } from "./commit-outcome.ts";
import type { FeedbackStore } from "./feedback.ts";

export interface CommitStatusDeps {
  forge: RepositoryForge;
  factory: Factory;
  store: Pick<FeedbackStore, "findReported" | "recordReported">;
  revisions: Pick<FactoryStore, "listRevisions">;
  now: () => Date;
}

/** Attempts to roll back are no word about the branch; more of them than this in a row nobody makes. */
const ATTEMPTS_LOOKED_AT = 20;

/**
 * Says at the production commit what became of it: that it is in force, why it is not, or that nobody looks. Each outcome
 * of a commit is told once, also across restarts; when the forge was told and the store was not, once more.
 * @throws ForgeError when the forge cannot be told
 */
export async function reportCommitStatus(deps: CommitStatusDeps): Promise<void> {
  const { forge, store, now } = deps;
  const outcome = await outcomeNow(deps);
  if (!outcome) return;
  const { status, reported } = outcome;
  const last = await store.findReported(forge.key);
  if (last?.commit === reported.commit && last.outcome === reported.outcome) return;
  await forge.setStatus(status);
  await store.recordReported(forge.key, reported, now().toISOString());
}

async function outcomeNow({
  forge,
  factory,
  revisions,
}: CommitStatusDeps): Promise<CommitOutcome | undefined> {
  const { uid, source, sync } = factory.record;
  if (!("branch" in source)) return undefined;
  if (sync.status === "suspended") {
    const tip = await forge.findTip(source.branch);
    return tip === sync.appliedRevision ? undefined : outcomeOfSuspension(tip, sync.appliedRevision);
  }
  const attempts = await revisions.listRevisions(uid, { limit: ATTEMPTS_LOOKED_AT });
  const newest = attempts.find(({ reason }) => reason !== "rollback");
  return newest && outcomeOfAttempt(newest, { folder: source.path, applied: sync.appliedRevision });
}
