import { errorsInOneLine, type Problem } from "../../definitions/problem.ts";
import { inShell, MillraceError } from "../../errors/error.ts";
import { SourceError } from "../../git/revision.ts";
import type { FactoryRecord, NotApplied } from "../factory.ts";
import { takenMeanwhile } from "../factory-name.ts";
import type { Evaluation } from "../reconcile.ts";
import type { ReconcileDeps } from "../subject.ts";

/** A repository that cannot be used just now. @throws MillraceError `service_unavailable` */
export function unavailable(error: unknown): never {
  if (!(error instanceof SourceError)) throw error;
  throw new MillraceError("service_unavailable", error.message, { retryAfter: 30, cause: error });
}

export async function notApplied(
  why: NotApplied,
  { loaded, target, candidate }: Evaluation,
  deps: ReconcileDeps,
): Promise<MillraceError> {
  if (why === "moved") return editedMeanwhile(target.factory);
  if (why === "suspended" || !candidate) return suspended(target.factory);
  if (why === "secret taken") {
    const message = "Someone else changed the secret at the same time, so nothing was changed.";
    return new MillraceError("conflict", message, { remedy: "Try again." });
  }
  const { definition } = candidate;
  return alreadyTaken(await takenMeanwhile(why, definition, loaded, target.factory, deps));
}

/** Two have changed the definition at the same time, at two servers: the one who comes second has not seen the first change. */
function editedMeanwhile({ name }: FactoryRecord): MillraceError {
  const message = `Someone else changed the definition of "${name}" at the same time, through another server, so nothing was changed.`;
  return new MillraceError("conflict", message, {
    remedy: "Read the definition again, check that your change still fits, and repeat it.",
  });
}

/** Names of secrets are unique on a server: what is there may be another factory's, of which nothing is said. */
export function secretTaken(name: string): MillraceError {
  const message = `The secret name ${name} is used by a secret that this factory may not use, so nothing was changed.`;
  return new MillraceError("conflict", message, {
    remedy:
      "Choose another name for the secret, or ask someone with a key for the whole server to share that secret (`millrace secrets set --factory`, `--shared`).",
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
const MAX_PROBLEMS = 50;

export function refused(problems: readonly Problem[]): MillraceError {
  const errors = problems.filter(({ severity }) => severity === "error");
  return new MillraceError(
    "invalid_request",
    `The definition would not be valid, so nothing was changed: ${errorsInOneLine(errors)}.`,
    { remedy: "Fix all of these problems.", extra: { problems: errors.slice(0, MAX_PROBLEMS) } },
  );
}

export function suspended({ name }: FactoryRecord): MillraceError {
  return new MillraceError("conflict", `The factory "${name}" is suspended, so no changes are applied.`, {
    remedy: `Run \`millrace resume ${inShell(name)}\` first.`,
    retryable: false,
  });
}

export function nothingToEdit({ name }: FactoryRecord): MillraceError {
  return new MillraceError("conflict", `The factory "${name}" has no applied definition to change.`, {
    remedy: "Run `millrace status` to see its problems.",
    retryable: false,
  });
}
