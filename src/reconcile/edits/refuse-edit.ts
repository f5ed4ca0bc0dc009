import { errorsInOneLine, type Problem } from "../../definitions/problem.ts";
import { MillraceError } from "../../error.ts";
import { SourceError } from "../../git/revision.ts";
import { inShell } from "../../in-shell.ts";
import type { Applied, FactoryRecord } from "../factory.ts";
import { takenMeanwhile } from "../factory-name.ts";
import type { ReconcileParts } from "../subject.ts";
import type { Weighed } from "../weigh.ts";

/** A repository that cannot be used just now. @throws MillraceError `service_unavailable` */
export function unavailable(error: unknown): never {
  if (!(error instanceof SourceError)) throw error;
  throw new MillraceError("service_unavailable", error.message, { retryAfter: 30, cause: error });
}

export async function notApplied(
  why: Exclude<Applied, "applied">,
  { loaded, target, candidate }: Weighed,
  parts: ReconcileParts,
): Promise<MillraceError> {
  if (why === "suspended" || !candidate) return suspended(target.factory);
  if (why === "secret taken") {
    const message = "Somebody has just changed the secret that was to be set, so nothing was changed.";
    return new MillraceError("conflict", message, { remedy: "Try again." });
  }
  const { definition } = candidate;
  return alreadyTaken(await takenMeanwhile(why, definition, loaded, target.factory, parts));
}

/** Names of secrets are unique on a server: what is there may be another factory's, of which nothing is said. */
export function secretTaken(name: string): MillraceError {
  const message = `The name ${name} is taken by a secret that this factory may not use, so nothing was changed.`;
  return new MillraceError("conflict", message, {
    remedy:
      "Choose another name for the secret; or whoever has a key for the whole server shares that one (`millrace secrets set --factory`, `--shared`).",
    retryable: false,
    extra: { field: "secret_name" },
  });
}

export function alreadyTaken(taken: Problem): MillraceError {
  return new MillraceError("conflict", `${taken.path}: ${taken.message}.`, {
    retryable: false,
    extra: { problems: [taken] },
  });
}

/** Nobody reads more of them in an answer. */
const MOST_PROBLEMS = 50;

export function refused(problems: readonly Problem[]): MillraceError {
  const errors = problems.filter(({ severity }) => severity === "error");
  return new MillraceError(
    "invalid_request",
    `The definition would not be valid, so nothing was changed: ${errorsInOneLine(errors)}.`,
    { remedy: "Correct every one of the problems.", extra: { problems: errors.slice(0, MOST_PROBLEMS) } },
  );
}

export function suspended({ name }: FactoryRecord): MillraceError {
  return new MillraceError("conflict", `The factory "${name}" is suspended: it holds what is in force.`, {
    remedy: `Run \`millrace resume ${inShell(name)}\` first.`,
    retryable: false,
  });
}

export function notKept({ name }: FactoryRecord): MillraceError {
  return new MillraceError("conflict", `The factory "${name}" has nothing in force that could be changed.`, {
    remedy: "`millrace status` tells what is wrong.",
    retryable: false,
  });
}
