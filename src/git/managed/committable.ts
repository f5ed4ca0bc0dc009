import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** `git check-ignore` ends so when nothing ignores the path, or when it is tracked already. */
const NOT_IGNORED = 1;

/** Whether `git add .` in the work tree that a path lies in would put it into a commit. No where git cannot tell. */
export async function isCommittable(path: string): Promise<boolean> {
  const folder = dirname(path);
  if (!isInWorkTree(folder)) return false;
  // A repository's settings may name programs to start, which is nothing for a question.
  const question = ["-c", "core.fsmonitor=false", "-C", folder, "check-ignore", "--quiet", "--", path];
  try {
    await run("git", question, { env: { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: "C" } });
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === NOT_IGNORED;
  }
}

function isInWorkTree(start: string): boolean {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true;
    if (folder === dirname(folder)) return false;
  }
}
