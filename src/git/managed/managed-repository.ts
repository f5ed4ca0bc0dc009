import { mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SimpleGit } from "simple-git";
import { errorMessage } from "../../errors/error.ts";
import { newUid } from "../../id.ts";
import { containsCommit, findCommit } from "../commits.ts";
import { configInEnvironment, LOCAL_CONFIG, localGitEnvironment } from "../git-environment.ts";
import { openGit } from "../open-git.ts";
import { committedTree, readCommitTree, readRevision } from "../read-commit.ts";
import { DRAFT, removeStaleTempFiles } from "../remove-stale-temp-files.ts";
import { type Reference, type Source, SourceError, type Tree } from "../revision.ts";
import { editTree } from "./edit-tree.ts";
import { type CommitDraft, type ManagedBranch, MILLRACE } from "./managed-branch.ts";
import { writeCommit } from "./write-commit.ts";

export interface ManagedRepositoryOptions {
  /** Where the bare repository is, or will be made. */
  path: string;
  /** What its first commit, which holds nothing, says. */
  firstMessage: string;
  now: () => Date;
  signal?: AbortSignal;
}

/** Its one branch. */
export const MANAGED_BRANCH = "main";
const BRANCH_REF = `refs/heads/${MANAGED_BRANCH}`;
const NOTHING = "0".repeat(40);

/** A bare repository that millrace keeps: read like any other, and written by edits. */
export function managedRepository({ path, firstMessage, now, signal }: ManagedRepositoryOptions): Source {
  const environment = environmentAt(path);
  const open = () => openGit(dirname(path), environment, signal ? { signal } : {});
  /** The trees that are asked for again and again: what is in force, and what it is about to become. */
  let known: Tree | undefined;

  let cleared: Promise<void> | undefined;

  async function reading<T>(read: (git: SimpleGit) => Promise<T>): Promise<T> {
    try {
      cleared ??= removeStaleTempFiles(path);
      await cleared;
      if (!(await isThere(path))) throw new Error("it does not exist");
      return await read(open());
    } catch (error) {
      throw error instanceof SourceError ? error : damaged(path, errorMessage(error));
    }
  }

  async function writing<T>(write: (git: SimpleGit) => Promise<T>): Promise<T> {
    return reading(async (git) =>
      write(git).catch((error) => {
        throw error instanceof SourceError ? error : notWritten(path, errorMessage(error));
      }),
    );
  }

  async function treeAt(git: SimpleGit, commit: string): Promise<Tree> {
    if (known?.revision.id === commit) return known;
    if (!(await findCommit(git, commit))) throw missing(path, commit);
    const tree = await readCommitTree(git, await readRevision(git, commit), { path: "." }, environment);
    return { ...tree, mayBeEmpty: true };
  }

  async function create(): Promise<void> {
    // It comes into its place whole: a crash leaves nothing that looks like a repository and is none.
    const draft = `${path}${DRAFT}${newUid()}`;
    const draftEnvironment = environmentAt(draft);
    try {
      await mkdir(draft, { recursive: true, mode: 0o700 });
      const git = openGit(draft, draftEnvironment);
      await git.raw(["init", "--quiet", "--bare", `--initial-branch=${MANAGED_BRANCH}`, draft]);
      const first = { edits: [], author: MILLRACE, message: firstMessage, at: now() };
      const commit = await writeCommit(first, draftEnvironment);
      await git.raw(["update-ref", BRANCH_REF, commit, NOTHING]);
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw notWritten(path, errorMessage(error));
    }
  }

  async function move(git: SimpleGit, from: string, to: string): Promise<void> {
    await git.raw(["update-ref", BRANCH_REF, to, from]);
  }

  async function settleAt(git: SimpleGit, applied: string): Promise<string> {
    const tip = await tipOf(git, path);
    if (tip === applied) return tip;
    if (!(await findCommit(git, applied))) throw missing(path, applied);
    if (tip === undefined || (await containsCommit(git, applied, tip))) {
      await move(git, tip ?? NOTHING, applied);
      return applied;
    }
    // Somebody has pushed here, whom nobody can keep from it: what comes after is read like any new commit.
    if (await containsCommit(git, tip, applied)) return tip;
    throw new SourceError(
      "GIT_REFUSED",
      `The branch ${MANAGED_BRANCH} of ${path} was moved to ${tip}, which does not descend from the applied revision: ` +
        `restore it with \`git --git-dir ${path} update-ref ${BRANCH_REF} ${applied}\`, then sync.`,
    );
  }

  const branch: ManagedBranch = {
    async settle(applied) {
      cleared ??= removeStaleTempFiles(path);
      await cleared;
      if (applied === null && !(await isThere(path))) await create();
      return reading(async (git) =>
        applied === null ? ((await tipOf(git, path)) ?? settleNothing(path)) : settleAt(git, applied),
      );
    },
    commit: (draft) => writing((git) => commit(git, draft)),
    advance: (from, to) => writing((git) => move(git, from, to)),
  };

  async function commit(git: SimpleGit, { parent, treeOf, ...draft }: CommitDraft): Promise<Tree> {
    const base = await treeAt(git, treeOf ?? parent);
    const tree = treeOf && (await git.raw(["rev-parse", "--verify", `${treeOf}^{tree}`]));
    const id = await writeCommit({ ...draft, parent, ...(tree ? { tree } : {}) }, environment);
    const { author } = draft;
    const [message] = draft.message.split("\n", 1);
    const revision = { id, author, message };
    // Of the tree that edits make, only the listing: what it reads by leads back through every edit before.
    const { entries } = editTree(base, draft.edits, revision);
    known = { ...committedTree(git, revision, entries, environment), mayBeEmpty: true };
    return known;
  }

  return {
    branch,
    latest: () =>
      reading(async (git) => {
        const tip = (await tipOf(git, path)) ?? settleNothing(path);
        known = await treeAt(git, tip);
        return known;
      }),
    past: (revision) => reading((git) => treeAt(git, revision)),
    at: (reference) => reading(async (git) => treeAt(git, await commitOf(git, path, reference))),
    async contains(revision, commit) {
      return reading((git) => containsCommit(git, revision, commit)).catch(() => revision.startsWith(commit));
    },
  };
}

function environmentAt(path: string): Record<string, string> {
  return {
    ...localGitEnvironment(),
    ...configInEnvironment([...LOCAL_CONFIG, ["core.fsync", "objects,reference"]]),
    GIT_DIR: path,
  };
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Where the branch is: mostly in a file of its own, and asking git costs a process for each edit. */
async function tipOf(git: SimpleGit, path: string): Promise<string | undefined> {
  const written = await readFile(join(path, BRANCH_REF), "utf8").catch(() => "");
  return /^([0-9a-f]{40})\n$/.exec(written)?.[1] ?? (await findRef(git, BRANCH_REF));
}

async function findRef(git: SimpleGit, name: string): Promise<string | undefined> {
  const found = await git.raw(["for-each-ref", "--format=%(objectname)", name]);
  return found.trim() || undefined;
}

async function commitOf(git: SimpleGit, path: string, reference: Reference): Promise<string> {
  const name = "ref" in reference ? reference.ref : "";
  const isName = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,250}$/.test(name) && !name.includes("..");
  const found =
    (isName && ((await findRef(git, name)) ?? (await findRef(git, `refs/heads/${name}`)))) ||
    (await findCommit(git, name.toLowerCase()));
  if (found) return found;
  const what = "ref" in reference ? `commit "${reference.ref}"` : "pull requests";
  throw new SourceError("GIT_REF_MISSING", `The repository ${path} has no ${what}: use another reference.`);
}

const REMEDY = "The active definition remains in effect. Restore the folder from a backup, then sync.";

function settleNothing(path: string): never {
  throw damaged(path, `it has no branch ${MANAGED_BRANCH}`);
}

function missing(path: string, commit: string): SourceError {
  return new SourceError(
    "GIT_REVISION_MISSING",
    `The repository ${path} lacks the commit ${commit}. ${REMEDY}`,
  );
}

function notWritten(path: string, why: string): SourceError {
  return new SourceError(
    "GIT_UNREACHABLE",
    `The repository of the factory, ${path}, cannot be written: ${firstLine(why)}. ` +
      "Give the server's user write access to it, and check that the disk is not full.",
  );
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, 300);
}

function damaged(path: string, why: string): SourceError {
  return new SourceError(
    "GIT_UNREACHABLE",
    `The repository of the factory, ${path}, cannot be used: ${firstLine(why)}. ${REMEDY}`,
  );
}
