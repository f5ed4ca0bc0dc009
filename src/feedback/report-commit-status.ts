import { ALLOW_DELETES_TRAILER } from "../definitions/changes/prune-guard.ts";
import { type Problem, placeOf } from "../definitions/problem.ts";
import type { CommitStatus, RepositoryForge } from "../forge/repository-forge.ts";
import type { FactoryStore, RevisionRecord } from "../reconcile/factory.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { pathInRepository } from "./check-pull-request.ts";
import type { FeedbackStore, ReportedCommit } from "./feedback.ts";

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

/** A status, and what tells its outcome from others of the commit. */
interface CommitOutcome {
  status: CommitStatus;
  reported: ReportedCommit;
}

/** Where the definition of a factory is in its repository, and which revision of it is in force. */
interface Standing {
  folder: string;
  applied: string | null;
}

/** How a production commit stands after an attempt. Pure. */
function outcomeOfAttempt(attempt: RevisionRecord, standing: Standing): CommitOutcome {
  const { revision: commit, problems } = attempt;
  if (attempt.outcome === "applied") {
    const description = `applied: ${changesOf(attempt)}${warningOf(problems)}`;
    // A correction at a restart changes something else than the commit did, and is no news of the commit.
    return { status: { commit, state: "success", description }, reported: { commit, outcome: "applied" } };
  }
  const description = failureOf(problems, standing);
  return {
    status: { commit, state: "failure", description },
    reported: { commit, outcome: `failed: ${description}` },
  };
}

/** How a commit stands that a suspended factory does not look at. Pure. */
function outcomeOfSuspension(commit: string, applied: string | null): CommitOutcome {
  const kept = applied === null ? "no revision is" : `${applied.slice(0, 12)} stays`;
  const description = `suspended: ${kept} active until \`millrace resume\``;
  return { status: { commit, state: "pending", description }, reported: { commit, outcome: description } };
}

const DONE = [
  ["create", "created"],
  ["update", "updated"],
  ["delete", "deleted"],
] as const;

function changesOf({ changes }: RevisionRecord): string {
  const counts = DONE.flatMap(([action, done]) => {
    const count = changes.filter((change) => change.action === action).length;
    return count > 0 ? [`${count} ${done}`] : [];
  });
  return counts.length > 0 ? counts.join(", ") : "no changes needed";
}

function warningOf(problems: readonly Problem[]): string {
  const warnings = problems.filter(({ severity }) => severity === "warning");
  const first = warnings.find(({ code }) => code === "PRUNE_GUARD") ?? warnings[0];
  return first ? `; warning: ${first.message}` : "";
}

function failureOf(problems: readonly Problem[], { folder, applied }: Standing): string {
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (!first) return "failed";
  if (errors.every(({ code }) => code === "PRUNE_GUARD")) return guarded(applied);
  const place = placeOf({ ...first, path: pathInRepository(folder, first.path) });
  // The count stands first: a forge cuts the end of a long description.
  const more = errors.length > 1 ? `${errors.length} problems, first ` : "";
  return `failed: ${more}${place}: ${first.message}`;
}

/** Short enough to be shown whole: it says what to do. */
function guarded(applied: string | null): string {
  const sync = "blocked by the prune guard: allow it with `millrace sync --allow-deletes`";
  return applied === null
    ? sync
    : `${sync} or the commit trailer ${ALLOW_DELETES_TRAILER}: ${applied.slice(0, 12)}`;
}
