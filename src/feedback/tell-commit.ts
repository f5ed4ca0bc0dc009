import type { CodeHost } from "../forge/code-host.ts";
import type { Factory } from "../reconcile/factories.ts";
import type { FactoryStore } from "../reconcile/factory.ts";
import { type CommitOutcome, outcomeOfAttempt, outcomeOfSuspension } from "./commit-outcome.ts";
import type { FeedbackStore } from "./feedback.ts";

export interface TellCommitParts {
  host: CodeHost;
  factory: Factory;
  store: Pick<FeedbackStore, "findTold" | "recordTold">;
  revisions: Pick<FactoryStore, "listRevisions">;
  now: () => Date;
}

/** Attempts to roll back are no word about the branch; more of them than this in a row nobody makes. */
const ATTEMPTS_LOOKED_AT = 20;

/**
 * Says at the production commit what became of it: that it is in force, why it is not, or that nobody looks. Each outcome
 * of a commit is told once, also across restarts; when the host was told and the store was not, once more.
 * @throws HostError when the host cannot be told
 */
export async function tellCommit(parts: TellCommitParts): Promise<void> {
  const { host, store, now } = parts;
  const outcome = await outcomeNow(parts);
  if (!outcome) return;
  const { status, told } = outcome;
  const last = await store.findTold(host.key);
  if (last?.commit === told.commit && last.outcome === told.outcome) return;
  await host.setStatus(status);
  await store.recordTold(host.key, told, now().toISOString());
}

async function outcomeNow({ host, factory, revisions }: TellCommitParts): Promise<CommitOutcome | undefined> {
  const { uid, source, sync } = factory.record;
  if (!("branch" in source)) return undefined;
  if (sync.status === "suspended") {
    const tip = await host.findTip(source.branch);
    return tip === sync.appliedRevision ? undefined : outcomeOfSuspension(tip, sync.appliedRevision);
  }
  const attempts = await revisions.listRevisions(uid, { limit: ATTEMPTS_LOOKED_AT });
  const newest = attempts.find(({ reason }) => reason !== "rollback");
  return newest && outcomeOfAttempt(newest, source.path);
}
