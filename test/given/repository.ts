import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Files, temporaryFolder, writeFiles } from "./folder.ts";

/** A bare repository with a clone that commits and pushes, as a team would. */
export interface Repository {
  /** The path of the bare repository. */
  url: string;
  /** Writes and removes files, commits and pushes. @returns the hash of the commit */
  push(
    files: Files,
    options?: { remove?: string[]; message?: string; branch?: string; force?: boolean },
  ): string;
  /** Undoes the last commit with another one, and pushes it. */
  revert(): string;
  /** Goes back to an earlier commit, for a forced push that rewrites history. */
  reset(commit: string): void;
  /** Runs git in the clone. */
  git(...args: string[]): string;
}

/** Git as a person who has set nothing up. */
export const GIT_ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.com",
};

export function runGit(folder: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: folder,
    env: GIT_ENVIRONMENT,
    encoding: "utf8",
    stdio: "pipe",
  }).trim();
}

export type ObjectFormat = "sha1" | "sha256";

/** An empty bare repository and a clone of it. */
export function emptyRepository(format?: ObjectFormat): Repository {
  return repositoryAt(join(temporaryFolder("millrace-git"), "origin.git"), format);
}

/** An empty bare repository at a path of its own, and a clone of it somewhere else. */
export function repositoryAt(url: string, format: ObjectFormat = "sha1"): Repository {
  const clone = join(temporaryFolder("millrace-git"), "clone");
  mkdirSync(url);
  runGit(url, "init", "--quiet", "--bare", `--object-format=${format}`, "--initial-branch=main");
  mkdirSync(clone);
  runGit(clone, "init", "--quiet", `--object-format=${format}`, "--initial-branch=main");
  runGit(clone, "remote", "add", "origin", url);
  const git = (...args: string[]) => runGit(clone, ...args);
  const commit = (message: string) => {
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", `--message=${message}`);
    return git("rev-parse", "HEAD");
  };
  return {
    url,
    git,
    push(files, { remove = [], message = "Change the definition", branch = "main", force = false } = {}) {
      for (const path of remove) rmSync(join(clone, path), { recursive: true });
      writeFiles(clone, files);
      const hash = commit(message);
      git("push", "--quiet", ...(force ? ["--force"] : []), "origin", `HEAD:refs/heads/${branch}`);
      return hash;
    },
    revert() {
      git("revert", "--no-edit", "HEAD");
      git("push", "--quiet", "origin", "HEAD:refs/heads/main");
      return git("rev-parse", "HEAD");
    },
    reset(hash) {
      git("reset", "--quiet", "--hard", hash);
    },
  };
}

/** A repository whose first commit holds these files. */
export function repositoryWith(files: Files, format?: ObjectFormat): Repository {
  const repository = emptyRepository(format);
  repository.push(files, { message: "Begin" });
  return repository;
}
