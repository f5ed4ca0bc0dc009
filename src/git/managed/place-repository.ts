import { execFile } from "node:child_process";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { newUid } from "../../id.ts";
import { configInEnvironment, LOCAL_CONFIG, localGitEnvironment } from "../git-environment.ts";
import { openGit, SILENCE_LIMIT_MS } from "../open-git.ts";
import { DRAFT } from "../remove-stale-temp-files.ts";

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
