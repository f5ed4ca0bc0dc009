import { access, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { SimpleGit } from "simple-git";
import { untilAborted } from "../../concurrency/promises.ts";
import { serial, sharedWork } from "../../concurrency/shared-work.ts";
import { systemCode } from "../../errors/error.ts";
import { type CheckedOut, type Checkout, checkOut, isBranchOrTag, keptRef } from "../checkout.ts";
import { type Asked, explainFailure } from "../explain-failure.ts";
import { commitOf, isHash, isReference, isWholeHash, missingReference } from "../fetch-reference.ts";
import { type GitAccess, gitEnvironment, installAskpass, localGitEnvironment } from "../git-environment.ts";
import { openGit } from "../open-git.ts";
import { listTree, REPOSITORY_LISTING, readBlobs } from "../read-tree.ts";
import { withRemoteLimits } from "../remote-limits.ts";
import type { Tree } from "../revision.ts";
import { askAgain } from "./ask-again.ts";
import {
  createMirror,
  isMirrorDamage,
  readObjectsFrom,
  shareObjects,
  snapshotMirror,
} from "./mirror-folder.ts";

/** A repository that runs work on. */
export interface Remote {
  /** Without credentials: it stands in the clones of agents. */
  url: string;
  /** What stands there instead, where the remote is a copy of another. */
  originUrl?: string;
  access: GitAccess;
  /** Where a person sets the token, for messages. */
  tokenIn: string;
}

/** What is different in a clone from what git makes of it. */
export interface CloneOptions {
  checkout?: Checkout | undefined;
  /** Who commits there. */
  author?: { name: string; email: string };
  /** Where the clone is to find objects of the mirror, which nobody may write there; without it, it has copies. */
  objects?: string | undefined;
}

/** All branches and tags of a remote, in the data folder. Every method throws a SourceError that holds no credential. */
export interface Mirror {
  /** Asks the remote, and fetches what is new there. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Whether it was ever fetched. */
  exists(): Promise<boolean>;
  /** Asks the remote for a ref that is neither a branch nor a tag, such as the head of a pull request. */
  fetchRef(ref: string, signal: AbortSignal): Promise<void>;
  /**
   * Finds what somebody calls a branch, a tag, a commit or a full `refs/…`, once the mirror is up to date.
   * @throws SourceError `GIT_REF_MISSING` when the remote has no such place
   */
  find(text: string, signal: AbortSignal): Promise<Checkout>;
  /**
   * Makes a clone as the remote would give it, with the remote as its origin, on its default branch or where a checkout says.
   * @returns what was checked out, where a checkout was asked for
   */
  clone(into: string, signal: AbortSignal, options?: CloneOptions): Promise<CheckedOut | undefined>;
  /**
   * The files of the default branch.
   * @param folders the only ones that are listed; without them, all are, which may be a million files
   */
  readHead(signal: AbortSignal, folders?: readonly string[]): Promise<Tree>;
  /** Makes a repository of what is there now, with the names of the remote, from which others can clone. */
  snapshot(into: string, signal: AbortSignal): Promise<void>;
}

/** Copying a large mirror takes a while and says nothing meanwhile. */
const CLONE_SILENCE_LIMIT_MS = 30 * 60_000;
/** Each fetch makes a pack; with more of them than this, they are made one. */
const MAX_PACKS = 50;

/**
 * @param gitFolder where the helper that answers git's questions is kept
 * @param mostBytes what it may take of the disk; 0 for any size
 */
export function mirrorAt(path: string, remote: Remote, gitFolder: string, mostBytes = 0): Mirror {
  const { url } = remote;
  const asked: Asked = { tokenIn: remote.tokenIn, isRepeated: false };
  const readers = new Set<Promise<unknown>>();
  const changes = serial();
  /** What the remote said when the mirror was last like it. */
  let known: string | undefined;

  /** Waits until nobody reads, and keeps readers waiting: packs may be moved and the mirror made anew. */
  async function alone<T>(change: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return changes.run(async () => {
      await untilAborted(Promise.all(readers), signal);
      return change();
    }, signal);
  }

  async function reading<T>(read: () => Promise<T>): Promise<T> {
    while (changes.isBusy) await changes.ended();
    const done = read().catch((error) => {
      throw explainFailure(url, error, undefined, asked);
    });
    const settled = done.catch(() => {});
    readers.add(settled);
    return done.finally(() => readers.delete(settled));
  }

  async function bringUpToDate(environment: Record<string, string>, signal: AbortSignal): Promise<void> {
    if (await createMirror(path, url, environment, { signal })) known = undefined;
    const git = openGit(path, environment, { signal });
    const refs = await git.raw(["ls-remote", "--symref", "--", url, "HEAD", "refs/heads/*", "refs/tags/*"]);
    if (refs === known) return;
    await alone(() => fetchAll(git, url, refs), signal);
    known = refs;
  }

  const refresh = sharedWork(async (waiting) => {
    await markUsed(path);
    await askWith(waiting, (environment, signal) =>
      bringUpToDate(environment, signal).catch(async (error) => {
        if (!isMirrorDamage(error)) throw error;
        // It holds nothing that cannot be fetched again.
        known = undefined;
        await alone(() => rm(path, { recursive: true, force: true }), signal);
        await bringUpToDate(environment, signal);
      }),
    );
  });

  /** Asks the remote, with what opens it. */
  async function askWith(
    waiting: AbortSignal,
    ask: (environment: Record<string, string>, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const askpass = await installAskpass(gitFolder);
    const environment = await gitEnvironment({ ...remote, gitDir: path, askpass });
    await withRemoteLimits(environment, { signal: waiting, mostBytes }, (signal) =>
      askAgain(() => ask(environment, signal), signal, { isServer: remote.originUrl !== undefined }),
    ).catch((error) => {
      throw explainFailure(url, error, environment.MILLRACE_GIT_PASSWORD, asked);
    });
  }

  async function fetchRef(ref: string, signal: AbortSignal): Promise<void> {
    if (isBranchOrTag(ref)) return;
    const refspec = `+${ref}:${keptRef(ref)}`;
    await askWith(signal, (environment, signal) =>
      alone(() => fetchInto(openGit(path, environment, { signal }), url, [refspec]), signal),
    );
  }

  return {
    refresh,
    exists: () =>
      access(join(path, "HEAD")).then(
        () => true,
        () => false,
      ),
    fetchRef,
    async find(text, signal) {
      if (isOtherRef(text)) await fetchRef(text, signal);
      const environment = { ...localGitEnvironment(), GIT_DIR: path };
      const found = await reading(() => findCheckout(openGit(path, environment, { signal }), text));
      if (!found) throw missingReference(url, { ref: text });
      return found;
    },
    clone: (into, signal, options = {}) =>
      reading(() => cloneMirror(path, remote.originUrl ?? url, into, signal, options)),
    readHead: (signal, folders) => reading(() => readHeadTree(path, signal, folders)),
    snapshot: (into, signal) => reading(() => snapshotMirror(path, into, signal)),
  };
}

/** A mirror that nothing has used for long is removed: its time says when it was needed last. */
async function markUsed(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch((error) => {
    if (systemCode(error) !== "ENOENT") throw error;
  });
}

async function fetchAll(git: SimpleGit, url: string, refs: string): Promise<void> {
  await fetchInto(git, url, ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]);
  await setHead(git, refs);
  const counted = /^packs: (\d+)$/m.exec(await git.raw(["count-objects", "-v"]))?.[1];
  if (Number(counted) > MAX_PACKS) await git.raw(["gc", "--quiet", "--prune=now"]);
}

async function fetchInto(git: SimpleGit, url: string, refspecs: readonly string[]): Promise<void> {
  await git.raw([
    ...["fetch", "--progress", "--force", "--prune", "--no-tags", "--no-write-fetch-head"],
    ...["--no-recurse-submodules", "--no-auto-maintenance", "--", url, ...refspecs],
  ]);
}

/** Lets HEAD be what the remote's is: a branch or, on a remote without one, a commit. */
async function setHead(git: SimpleGit, refs: string): Promise<void> {
  const branch = /^ref: (refs\/heads\/\S+)\tHEAD$/m.exec(refs)?.[1];
  const commit = /^([0-9a-f]{40,64})\tHEAD$/m.exec(refs)?.[1];
  if (branch) await git.raw(["symbolic-ref", "HEAD", branch]);
  else if (commit) await git.raw(["update-ref", "--no-deref", "HEAD", commit]);
}

/**
 * A whole copy, unless there is a folder for objects that agents cannot write: one that could would write into every later
 * clone. What the repository says of hooks, filters and submodules is not acted on.
 */
async function cloneMirror(
  path: string,
  url: string,
  into: string,
  signal: AbortSignal,
  { checkout, author, objects }: CloneOptions,
): Promise<CheckedOut | undefined> {
  const environment = localGitEnvironment();
  const limits = { signal, silenceLimitMs: CLONE_SILENCE_LIMIT_MS };
  const shared = objects !== undefined && (await shareObjects(path, objects)) ? objects : undefined;
  await openGit(path, environment, limits).raw([
    ...["clone", "--progress", shared === undefined ? "--no-hardlinks" : "--shared"],
    ...["--no-recurse-submodules", "--no-checkout", "--", path, into],
  ]);
  // Git has named the mirror's own folder, which no agent sees.
  if (shared !== undefined) await readObjectsFrom(shared, into);
  const clone = openGit(into, environment, limits);
  await clone.raw(["remote", "set-url", "--", "origin", url]);
  for (const [key, value] of Object.entries(author ?? {})) await clone.raw(["config", `user.${key}`, value]);
  return checkOut(clone, path, checkout, limits);
}

async function readHeadTree(
  path: string,
  signal: AbortSignal,
  folders: readonly string[] | undefined,
): Promise<Tree> {
  const environment = { ...localGitEnvironment(), GIT_DIR: path };
  const git = openGit(path, environment, { signal });
  const id = await git.raw(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).catch(() => "");
  const entries =
    id === "" ? [] : await listTree(id.trim(), environment, REPOSITORY_LISTING, { signal, folders });
  return {
    revision: { id, author: undefined, message: undefined },
    entries,
    read: (wanted) => readBlobs(wanted, environment),
  };
}

const BRANCHES = "refs/heads/";

/** Whether a text is the full name of what is neither a branch nor a tag, which a mirror has to be given first. */
function isOtherRef(text: string): boolean {
  return isReference(text) && text.startsWith("refs/") && !isBranchOrTag(text);
}

/**
 * Finds what somebody calls a branch, a tag, a commit or a full `refs/…` in a mirror that is up to date. A branch comes before
 * a tag of the same name, and both before a commit, but nothing stands in for a full hash.
 */
async function findCheckout(git: SimpleGit, text: string): Promise<Checkout | undefined> {
  for (const ref of namesOf(text)) {
    if ((await commitOf(git, keptRef(ref))) === undefined) continue;
    return ref.startsWith(BRANCHES) ? { ref, branch: ref.slice(BRANCHES.length) } : { ref };
  }
  const commit = isHash(text) ? await commitOf(git, text.toLowerCase()) : undefined;
  return commit === undefined ? undefined : { commit };
}

function namesOf(text: string): string[] {
  if (!isReference(text) || isWholeHash(text)) return [];
  if (!text.startsWith("refs/")) return [BRANCHES + text, `refs/tags/${text}`];
  // Its name without the beginning is an argument of git, too.
  if (text.startsWith(BRANCHES) && !isReference(text.slice(BRANCHES.length))) return [];
  return [text];
}
