import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { MillraceError } from "../error.ts";

/** @throws MillraceError `service_unavailable` when the PATH of this server has no git */
export function requireGit(): void {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  if (folders.some((folder) => isExecutable(join(folder, "git")))) return;
  throw new MillraceError("service_unavailable", "git is missing: it is needed to read definitions.", {
    remedy: "Install it (https://git-scm.com/downloads), where the PATH of the server finds it.",
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
