import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Files, folderWith, temporaryFolder, writeFiles } from "./folder.ts";

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

/** What an entry of a tree is; a text is a file's content. */
export type RawEntry = string | Buffer | { tree: string } | { link: string } | { submodule: string };

/** Makes objects as nobody would who uses git as it is meant. */
export interface RawObjects {
  /** A tree with these entries, whatever their names are. @returns its hash */
  tree(entries: readonly (readonly [name: string | Buffer, entry: RawEntry])[]): string;
  /** A commit with a tree, as a ref. @returns its hash */
  commit(tree: string, ref: string): string;
  /** A commit whose text is given as it is, after its first line. */
  rawCommit(tree: string, rest: string, ref: string): string;
}

export function rawObjects({ url }: Repository): RawObjects {
  const git = (args: string[], input: string | Buffer = "") =>
    execFileSync("git", args, {
      cwd: url,
      env: GIT_ENVIRONMENT,
      input: Buffer.from(input),
      encoding: "latin1",
      maxBuffer: 1 << 30,
    }).trim();
  const write = (type: string, bytes: string | Buffer) =>
    git(["hash-object", "-w", "-t", type, "--literally", "--stdin"], bytes);
  const known = new Map<string, string>();
  const blob = (content: string | Buffer) => {
    const key = Buffer.from(content).toString("latin1");
    const hash = known.get(key) ?? write("blob", content);
    known.set(key, hash);
    return hash;
  };

  function entry(name: string | Buffer, what: RawEntry): Buffer {
    const [mode, hash] =
      typeof what === "string" || Buffer.isBuffer(what)
        ? ["100644", blob(what)]
        : "tree" in what
          ? ["40000", what.tree]
          : "link" in what
            ? ["120000", blob(what.link)]
            : ["160000", what.submodule];
    return Buffer.concat([
      Buffer.from(`${mode} `),
      Buffer.from(name),
      Buffer.from([0]),
      Buffer.from(hash, "hex"),
    ]);
  }

  const rawCommit = (tree: string, rest: string, ref: string) => {
    const hash = write("commit", `tree ${tree}\n${rest}`);
    git(["update-ref", ref, hash]);
    return hash;
  };
  return {
    tree: (entries) => write("tree", Buffer.concat(entries.map(([name, what]) => entry(name, what)))),
    commit: (tree, ref) =>
      rawCommit(tree, "author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nChange\n", ref),
    rawCommit,
  };
}

/** A tree of a few kilobytes that holds ten billion files: the same folders in folders, ten levels deep. @returns its hash */
export function filesWithoutEnd(raw: Pick<RawObjects, "tree">): string {
  let tree = raw.tree(Array.from({ length: 10 }, (_, index) => [`f${index}`, "x"] as const));
  for (let level = 0; level < 9; level += 1) {
    const inner = tree;
    tree = raw.tree(Array.from({ length: 10 }, (_, index) => [`d${index}`, { tree: inner }] as const));
  }
  return tree;
}

export interface GitSpy {
  /** A PATH on which git writes down how it is called, and then does what it is asked. */
  path: string;
  /** The commands of git so far, each with its arguments. */
  calls(): string[];
  /** Everything that was written down: environment and arguments. */
  seen(): string;
}

/** A program before git on the PATH that notes every call. */
export function spyOnGit(): GitSpy {
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const log = join(temporaryFolder(), "log");
  const script = `#!/bin/sh\n{ env; echo "called $*"; } >> ${log}\nexec ${git} "$@"\n`;
  const folder = folderWith({ git: script });
  chmodSync(join(folder, "git"), 0o755);
  const seen = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
  return {
    path: `${folder}:${process.env.PATH}`,
    seen,
    calls: () => [...seen().matchAll(/^called (.*)$/gm)].map((match) => match[1] ?? ""),
  };
}

/** A folder with bare repositories in it, as a forge has them: `owner/name.git`. */
export interface TestForge {
  /** The folder. */
  path: string;
  /** What a server takes as the base URL. */
  baseUrl: string;
  /** Makes a repository whose first commit holds these files. */
  repository(name: string, files?: Files, format?: ObjectFormat): Repository;
  /** A millrace.yaml that names it. */
  settings: string;
}

export function aForge(): TestForge {
  const path = temporaryFolder("millrace-forge");
  const baseUrl = `file://${path}`;
  return {
    path,
    baseUrl,
    settings: `forges: { home: { baseUrl: "${baseUrl}" } }\n`,
    repository(name, files = { "README.md": `This is ${name}.\n` }, format) {
      const url = join(path, `${name}.git`);
      mkdirSync(dirname(url), { recursive: true });
      const repository = repositoryAt(url, format);
      repository.push(files, { message: "Begin" });
      return repository;
    },
  };
}
