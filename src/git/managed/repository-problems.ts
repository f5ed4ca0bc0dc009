import { SourceError } from "../revision.ts";

const REMEDY = "The active definition remains in effect. Restore the folder from a backup, then sync.";

export function missing(path: string, commit: string): SourceError {
  return new SourceError(
    "GIT_REVISION_MISSING",
    `The repository ${path} lacks the commit ${commit}. ${REMEDY}`,
  );
}

export function notWritten(path: string, why: string): SourceError {
  return new SourceError(
    "GIT_UNREACHABLE",
    `The repository of the factory, ${path}, cannot be written: ${firstLine(why)}. ` +
      "Give the server's user write access to it, and check that the disk is not full.",
  );
}

export function damaged(path: string, why: string): SourceError {
  return new SourceError(
    "GIT_UNREACHABLE",
    `The repository of the factory, ${path}, cannot be used: ${firstLine(why)}. ${REMEDY}`,
  );
}

/** Whether a failure may come from a repository that is not whole. */
export function maybeDamage(error: SourceError): boolean {
  return ["GIT_UNREACHABLE", "GIT_PATH_MISSING", "GIT_REVISION_MISSING"].includes(error.code);
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, 300);
}
