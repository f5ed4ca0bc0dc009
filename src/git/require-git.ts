import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { MillraceError } from "../errors/error.ts";

/** @throws MillraceError `service_unavailable` when the PATH of this server has no git */
export function requireGit(): void {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  if (folders.some((folder) => isExecutable(join(folder, "git")))) return;
  throw new MillraceError(
    "service_unavailable",
    "git is not installed; millrace requires it to read definitions.",
    {
      remedy: "Install git (https://git-scm.com/downloads), and make sure it is on the server's PATH.",
    },
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
