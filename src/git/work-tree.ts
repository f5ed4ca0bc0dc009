import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { errorMessage } from "../errors/error.ts";
import { openGit } from "./open-git.ts";
import { DEFINITION_LISTING, listTree, readBlobs } from "./read-tree.ts";
import { SourceError, type Tree } from "./revision.ts";

/** What a person's own git reads of its surroundings; nothing of it asks a question or changes the repository. */
const PASSED_ON = ["PATH", "HOME", "XDG_CONFIG_HOME"];

/**
 * The tree below a folder of a working copy, at a commit. Files are read from the objects: what is not committed, and
 * whatever hooks and filters the copy has, plays no part.
 * @param revision anything that names a commit there
 * @throws SourceError `GIT_REF_MISSING` when it names none, `GIT_UNREACHABLE` when the folder is in no repository
 */
export async function readLocalCommit(folder: string, revision: string): Promise<Tree> {
  const environment = environmentOf();
  const git = openGit(resolve(folder), environment);
  const ask = (...args: string[]) => git.raw(args);
  const gitDir = await ask("rev-parse", "--absolute-git-dir").catch((error) => {
    throw new SourceError("GIT_UNREACHABLE", `git found no repository at ${folder}: ${firstLine(error)}`);
  });
  const prefix = await ask("rev-parse", "--show-prefix");
  const find = (name: string) => ask("rev-parse", "--verify", "--end-of-options", `${name}^{commit}`);
  // Of a branch and a tag of one name git takes the tag; the server takes the branch, as hosts do.
  const commit = await find(`refs/heads/${revision}`)
    .catch(() => find(revision))
    .catch(() => {
      throw new SourceError(
        "GIT_REF_MISSING",
        `The repository at ${folder} has no commit "${revision}": fetch it, or use another commit.`,
      );
    });
  const inside = { ...environment, GIT_DIR: gitDir };
  const entries = await listTree(`${commit}:${prefix}`, inside, DEFINITION_LISTING).catch((error) => {
    if (error instanceof SourceError) throw error;
    if (/bad object/.test(firstLine(error))) {
      throw new SourceError(
        "GIT_REFUSED",
        `The repository at ${folder} lacks objects of the commit ${commit}, for example because it is a partial clone (${firstLine(error)}): ` +
          "fetch them with `git fetch --refetch --filter=blob:limit=1g`.",
      );
    }
    throw new SourceError(
      "GIT_PATH_MISSING",
      `There is no folder "${prefix}" at commit ${commit}: ${firstLine(error)}`,
    );
  });
  return {
    revision: { id: commit, author: undefined, message: undefined },
    entries,
    read: (wanted) => readBlobs(wanted, inside),
  };
}

function environmentOf(): Record<string, string> {
  const environment: Record<string, string> = {
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // A partial clone would go and fetch what it lacks, by whatever program its settings name. Older versions of git know
    // only the second way to say no.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    // What stands in for a commit in this copy only is not what is pushed.
    GIT_NO_REPLACE_OBJECTS: "1",
  };
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

function firstLine(error: unknown): string {
  return errorMessage(error).split("\n")[0] ?? "";
}

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
