import { ALLOW_DELETES_TRAILER } from "../definitions/changes/prune-guard.ts";
import { type Problem, placeOf } from "../definitions/problem.ts";
import type { CommitStatus } from "../forge/repository-forge.ts";
import type { RevisionRecord } from "../reconcile/factory.ts";
import { pathInRepository } from "./check-result.ts";
import type { ReportedCommit } from "./feedback.ts";

/** A status, and what tells its outcome from others of the commit. */
export interface CommitOutcome {
  status: CommitStatus;
  reported: ReportedCommit;
}

/** Where the definition of a factory is in its repository, and which revision of it is in force. */
interface Standing {
  folder: string;
  applied: string | null;
}

/** How a production commit stands after an attempt. Pure. */
export function outcomeOfAttempt(attempt: RevisionRecord, standing: Standing): CommitOutcome {
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
export function outcomeOfSuspension(commit: string, applied: string | null): CommitOutcome {
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
