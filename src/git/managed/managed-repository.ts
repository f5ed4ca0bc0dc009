import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SimpleGit } from "simple-git";
import { errorMessage } from "../../errors/error.ts";
import { committedTree, containsCommit, findCommit, readCommitTree, readRevision } from "../commits.ts";
import { openGit } from "../open-git.ts";
import { type Reference, type Source, SourceError, type Tree } from "../revision.ts";
import { type CommitDraft, type ManagedBranch, MILLRACE } from "./managed-branch.ts";
import {
  BRANCH_REF,
  environmentAt,
  isDamaged,
  isThere,
  MANAGED_BRANCH,
  NOTHING,
  placeRepository,
  removeStaleTempFiles,
} from "./place-repository.ts";
import type { StoredObjects } from "./stored-objects.ts";
import { editTree, writeCommit } from "./write-commit.ts";

export interface ManagedRepositoryOptions {
  /** Where the bare repository is, or will be made. */
  path: string;
  /** What its first commit, which holds nothing, says. */
  firstMessage: string;
  now: () => Date;
  signal?: AbortSignal;
  /** Its objects in the store, from which it is made again. Without them it is the only place where they are. */
  objects?: StoredObjects;
  /** Hears that it was made again. */
  onRestored?: () => void;
}

/** The tree of a commit that holds nothing. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** A bare repository that millrace keeps: read like any other, and written by edits. */
export function managedRepository(options: ManagedRepositoryOptions): Source {
  const { path, firstMessage, now, signal, objects } = options;
  const environment = environmentAt(path);
  const open = () => openGit(dirname(path), environment, signal ? { signal } : {});
  /** The trees that are asked for again and again: what is in force, and what it is about to become. */
  let known: Tree | undefined;

  let cleared: Promise<void> | undefined;
  let restoring: Promise<boolean> | undefined;

  /** What is damaged or gone is made again from the store, once. */
  async function reading<T>(read: (git: SimpleGit) => Promise<T>): Promise<T> {
    try {
      return await readingAsItIs(read);
    } catch (error) {
      if (!(error instanceof SourceError && maybeDamage(error)) || !(await restored())) throw error;
      return readingAsItIs(read);
    }
  }

  async function readingAsItIs<T>(read: (git: SimpleGit) => Promise<T>): Promise<T> {
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

  /** @returns whether the repository is another one now */
  function restored(): Promise<boolean> {
    restoring ??= restore().finally(() => {
      restoring = undefined;
    });
    return restoring;
  }

  async function restore(): Promise<boolean> {
    // A store that cannot be asked is no reason to hide what is wrong with the repository.
    const newest = signal?.aborted ? undefined : await objects?.newest().catch(() => undefined);
    if (!objects || newest === undefined || !(await isDamaged(path, signal))) return false;
    try {
      await placeRepository(path, async (draft) => {
        await objects.fetchInto(draft);
        return newest;
      });
    } catch (error) {
      throw notWritten(path, errorMessage(error));
    }
    known = undefined;
    options.onRestored?.();
    return true;
  }

  /** Another server may have committed what is not here yet. */
  async function has(git: SimpleGit, commit: string): Promise<boolean> {
    if (await findCommit(git, commit)) return true;
    await objects?.fetchInto(environment);
    return objects !== undefined && (await findCommit(git, commit)) !== undefined;
  }

  async function treeAt(git: SimpleGit, commit: string): Promise<Tree> {
    if (known?.revision.id === commit) return known;
    if (!(await has(git, commit))) throw missing(path, commit);
    const tree = await readCommitTree(git, await readRevision(git, commit), { path: "." }, environment);
    return { ...tree, mayBeEmpty: true };
  }

  async function create(): Promise<void> {
    const first = { edits: [], author: MILLRACE, message: firstMessage, at: now() };
    await placeRepository(path, (draft) => writeCommit(first, draft)).catch((error) => {
      throw notWritten(path, errorMessage(error));
    });
  }

  async function move(git: SimpleGit, from: string, to: string): Promise<void> {
    await git.raw(["update-ref", BRANCH_REF, to, from]);
  }

  async function settleAt(git: SimpleGit, applied: string): Promise<string> {
    const tip = await tipOf(git, path);
    if (tip !== applied && !(await has(git, applied))) throw missing(path, applied);
    await objects?.takeIn(applied, environment);
    if (tip === applied) return tip;
    // Of two servers that make a factory at the same time, one has a first commit that never came into force.
    if (tip === undefined || (await containsCommit(git, applied, tip)) || (await isEmptyRoot(git, tip))) {
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
    history: async (to, since, paths) =>
      objects && reading(() => objects.history(to, since, environment, paths)),
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

async function isEmptyRoot(git: SimpleGit, commit: string): Promise<boolean> {
  return (
    (await git.raw(["log", "-1", "--no-show-signature", "--format=%P %T", commit, "--"])).trim() ===
    EMPTY_TREE
  );
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

function settleNothing(path: string): never {
  throw damaged(path, `it has no branch ${MANAGED_BRANCH}`);
}

const REMEDY = "The active definition remains in effect. Restore the folder from a backup, then sync.";

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

function damaged(path: string, why: string): SourceError {
  return new SourceError(
    "GIT_UNREACHABLE",
    `The repository of the factory, ${path}, cannot be used: ${firstLine(why)}. ${REMEDY}`,
  );
}

/** Whether a failure may come from a repository that is not whole. */
function maybeDamage(error: SourceError): boolean {
  return ["GIT_UNREACHABLE", "GIT_PATH_MISSING", "GIT_REVISION_MISSING"].includes(error.code);
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, 300);
}
