import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { emptyIfMissing } from "../errors/error.ts";

/** What stands between the path of a repository that is being made and a name of its own. */
export const DRAFT = ".new-";

/** Locks of git's that an edit takes; the names of branches that it moves are fixed. */
const LOCKS = ["HEAD.lock", "packed-refs.lock", "refs/heads/main.lock", "refs/millrace/edit.lock"];

/**
 * Removes what an earlier process was ended over, by a kill or a failure of power: drafts of the repository, and locks
 * that git would take for another's. The data folder has one server at a time, so nobody holds them.
 */
export async function removeStaleTempFiles(path: string): Promise<void> {
  const folder = dirname(path);
  const begun = `${basename(path)}${DRAFT}`;
  for (const name of await readdir(folder).catch(emptyIfMissing)) {
    if (name.startsWith(begun)) await rm(join(folder, name), { recursive: true, force: true });
  }
  for (const lock of LOCKS) await rm(join(path, lock), { force: true });
}
