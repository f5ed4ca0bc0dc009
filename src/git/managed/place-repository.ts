import { execFile } from "node:child_process";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { emptyIfMissing } from "../../errors/error.ts";
import { newUid } from "../../id.ts";
import { configInEnvironment, LOCAL_CONFIG, localGitEnvironment } from "../git-environment.ts";
import { openGit, SILENCE_LIMIT_MS } from "../open-git.ts";

const run = promisify(execFile);

/** The one branch of a repository that millrace keeps. */
export const MANAGED_BRANCH = "main";
export const BRANCH_REF = `refs/heads/${MANAGED_BRANCH}`;
/** What git calls the place of a branch that is not there. */
export const NOTHING = "0".repeat(40);

/** The environment of a git process in a repository that millrace keeps. What it has written survives a failure of power. */
export function environmentAt(path: string): Record<string, string> {
  return {
    ...localGitEnvironment(),
    ...configInEnvironment([...LOCAL_CONFIG, ["core.fsync", "objects,reference"]]),
    GIT_DIR: path,
  };
}

export async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Where a damaged repository is while another has its place: a commit that somebody pushed there may be nowhere else. */
export const asidePath = (path: string) => `${path}.damaged`;

/**
 * Makes a bare repository, which comes into its place whole: a crash leaves nothing that looks like a repository and is
 * none. What was there is set aside.
 * @param fill writes what is in it. @returns the commit that the branch begins with
 */
export async function placeRepository(
  path: string,
  fill: (environment: Record<string, string>) => Promise<string>,
): Promise<void> {
  const draft = `${path}${DRAFT}${newUid()}`;
  const environment = environmentAt(draft);
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const git = openGit(draft, environment);
    await git.raw(["init", "--quiet", "--bare", `--initial-branch=${MANAGED_BRANCH}`, draft]);
    await git.raw(["update-ref", BRANCH_REF, await fill(environment), NOTHING]);
    if (await isThere(path)) {
      await rm(asidePath(path), { recursive: true, force: true });
      await rename(path, asidePath(path));
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Whether git finds a repository missing or not whole. No where it cannot tell, as when it takes too long. */
export async function isDamaged(path: string, signal: AbortSignal | undefined): Promise<boolean> {
  if (!(await isThere(path))) return true;
  const limits = { timeout: SILENCE_LIMIT_MS, maxBuffer: 64 * 1024 * 1024, ...(signal && { signal }) };
  try {
    await run("git", ["fsck", "--no-dangling", "--no-progress"], { env: environmentAt(path), ...limits });
    return false;
  } catch (error) {
    return typeof (error as { code?: unknown }).code === "number";
  }
}

/** What stands between the path of a repository that is being made and a name of its own. */
const DRAFT = ".new-";

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

/** An edit adds about four loose objects; git itself packs at some 6,700. */
const MAX_LOOSE = 1_000;
/** A repository that is filled from the store gets a pack each time. */
const MAX_PACKS = 30;
/** What takes longer is ended, and begun again by the next round. */
const TIME_LIMIT_MS = 5 * 60_000;
/** What nothing refers to may belong to an edit that goes on. */
const UNUSED = "2.weeks.ago";

/**
 * Packs the repositories in a folder that have many small files. Edits can go on meanwhile: what is in a pack is removed only
 * when the pack is on the disk.
 * @param signal ends it between two steps, and the step that runs
 */
export async function packRepositories(folder: string, signal: AbortSignal): Promise<void> {
  for (const name of await readdir(folder).catch(emptyIfMissing)) {
    const path = join(folder, name);
    if (signal.aborted || !name.endsWith(".git") || !(await needsPacking(path))) continue;
    const git = (...args: string[]) =>
      run("git", args, { env: environmentAt(path), timeout: TIME_LIMIT_MS, killSignal: "SIGKILL", signal });
    const sparing = ["-c", "pack.threads=1", "-c", "pack.windowMemory=64m"];
    await git(...sparing, "repack", "-a", "-d", "-q");
    await git("prune", `--expire=${UNUSED}`);
  }
}

async function needsPacking(path: string): Promise<boolean> {
  const objects = join(path, "objects");
  const packs = await readdir(join(objects, "pack")).catch(emptyIfMissing);
  if (packs.filter((name) => name.endsWith(".pack")).length > MAX_PACKS) return true;
  let loose = 0;
  for (const name of await readdir(objects).catch(emptyIfMissing)) {
    if (!/^[0-9a-f]{2}$/.test(name)) continue;
    loose += (await readdir(join(objects, name)).catch(emptyIfMissing)).length;
    if (loose > MAX_LOOSE) return true;
  }
  return false;
}
