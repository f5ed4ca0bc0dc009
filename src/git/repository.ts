import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SimpleGit } from "simple-git";
import {
  containsCommit,
  fetchCommit,
  fetchRef,
  findCommit,
  readCommitTree,
  readRevision,
} from "./commits.ts";
import { type Asked, explainFailure } from "./explain-failure.ts";
import { fetchReference } from "./fetch-reference.ts";
import { type GitAccess, gitEnvironment, installAskpass, localGitEnvironment } from "./git-environment.ts";
import { readMerged } from "./merge-request.ts";
import { createMirror, isMirrorDamage } from "./mirrors/mirror-folder.ts";
import { openGit } from "./open-git.ts";
import { withRemoteLimits } from "./remote-limits.ts";
import {
  type Reference,
  type Revision,
  type Source,
  SourceError,
  SourceStopped,
  type Tree,
} from "./revision.ts";

export interface RepositoryOptions {
  /** A URL or a local path. */
  url: string;
  branch: string;
  /** The folder of the definition inside the repository, `.` for its root. */
  path: string;
  access: GitAccess;
  /** Where mirrors are kept. */
  gitFolder: string;
  /** Aborts a fetch in flight. */
  signal?: AbortSignal;
  /** A git process that has said nothing for this long is ended. */
  silenceLimitMs?: number;
  /** However busy it looks, git is ended when it has talked to the remote for this long. */
  timeLimitMs?: number;
  /** What the mirror may take of the disk; 0 for any size. */
  mostBytes?: number;
}

/** Where a mirror keeps the tip of its one branch, apart from what a remote could name. */
const TIP = "refs/millrace/tip";

/**
 * A repository at the tip of its production branch. Its objects are fetched into the data folder and read there one by
 * one: without a working tree there is nothing in which its hooks, filters or symlinks could act.
 */
export function repositorySource(options: RepositoryOptions): Source {
  const mirror = join(options.gitFolder, mirrorName(options));
  let known: Tree | undefined;

  async function withGit(read: (environment: Environment, options: RepositoryOptions) => Promise<Tree>) {
    const askpass = await installAskpass(options.gitFolder);
    const environment = await gitEnvironment({ ...options, gitDir: mirror, askpass });
    return withRemoteLimits(environment, options, (signal) =>
      read(environment, { ...options, signal }),
    ).catch((error) => {
      if (options.signal?.aborted)
        throw new SourceStopped("The server stopped while git was reading the source.");
      throw explainFailure(options.url, error, environment.MILLRACE_GIT_PASSWORD);
    });
  }

  const latest = () =>
    withGit((environment, bounded) =>
      readTip(environment, bounded).catch(async (error) => {
        if (!isMirrorDamage(error)) throw error;
        // It holds nothing that cannot be fetched again.
        known = undefined;
        await rm(mirror, { recursive: true, force: true });
        return readTip(environment, bounded);
      }),
    );

  /** A damaged mirror is made anew by the next look at the tip, and not while somebody may be reading it. */
  const at = (reference: Reference) =>
    withGit(async (environment, bounded) => {
      await createMirror(mirror, options.url, environment, bounded);
      const git = openGit(mirror, environment, bounded);
      if ("pullRequest" in reference) return readMerged(git, reference.pullRequest, bounded, environment);
      const commit = await fetchReference(git, options.url, reference);
      return readCommitTree(git, await readRevision(git, commit), bounded, environment);
    });

  async function readTip(environment: Environment, bounded: RepositoryOptions): Promise<Tree> {
    const isNew = await createMirror(mirror, options.url, environment, bounded);
    const git = openGit(mirror, environment, bounded);
    const tip = await askForTip(git, options);
    if (known?.revision.id === tip) return known;
    known = await readCommitTree(
      git,
      await fetchTip(git, options, isNew || known ? undefined : tip),
      bounded,
      environment,
    );
    return known;
  }

  async function readCommit(commit: string, environment: Environment, bounded: RepositoryOptions) {
    await createMirror(mirror, options.url, environment, bounded);
    const git = openGit(mirror, environment, bounded);
    if (!(await findCommit(git, commit))) await fetchCommit(git, options.url, commit);
    return readCommitTree(git, await readRevision(git, commit), bounded, environment);
  }

  return {
    latest,
    at,
    past: (revision) => withGit((environment, bounded) => readCommit(revision, environment, bounded)),
    async contains(revision, commit) {
      // Nobody is asked, so this gets no credentials.
      const environment = { ...localGitEnvironment(), GIT_DIR: mirror };
      try {
        return await containsCommit(openGit(mirror, environment, options), revision, commit);
      } catch {
        // There is no mirror, or it is being made anew: what it does not know, it does not contain.
        return revision.startsWith(commit);
      }
    },
  };
}

type Environment = Record<string, string>;

/**
 * Sources of one repository each have a mirror of their own: they fetch when they like, and when one mirror is made
 * anew, nobody else is reading it.
 */
export function mirrorName({
  url,
  branch,
  path,
}: Pick<RepositoryOptions, "url" | "branch" | "path">): string {
  const source = JSON.stringify([url, branch, path]);
  return `${createHash("sha256").update(source).digest("hex").slice(0, 24)}.git`;
}

/** The commit that the production branch points to, asked of the remote without fetching anything. */
async function askForTip(git: SimpleGit, { url, branch }: RepositoryOptions): Promise<string> {
  const answer = await git.raw(["ls-remote", "--", url, `refs/heads/${branch}`]);
  const tip = answer.split("\n").find((line) => line.endsWith(`\trefs/heads/${branch}`));
  if (tip) return tip.slice(0, tip.indexOf("\t"));
  const heads = await git.raw(["ls-remote", "--heads", "--", url]);
  const names = heads.split("\n").flatMap((line) => line.split("\trefs/heads/")[1] ?? []);
  throw new SourceError(
    "GIT_BRANCH_MISSING",
    names.length === 0
      ? `The repository ${url} is empty: push a commit to its branch "${branch}".`
      : `The repository ${url} has no branch "${branch}" (it has ${names.slice(0, 5).join(", ")}): ` +
          "push it, or set another branch with --branch.",
  );
}

/** Brings the tip into the mirror. The branch may have moved since it was asked for; the newer commit is as good. */
async function fetchTip(
  git: SimpleGit,
  { url, branch }: RepositoryOptions,
  tip: string | undefined,
): Promise<Revision> {
  const have = tip === undefined ? undefined : await readRevision(git, TIP).catch(() => undefined);
  if (have && have.id === tip) return have;
  await fetchRef(git, url, `+refs/heads/${branch}:${TIP}`);
  return readRevision(git, TIP);
}

/**
 * Asks a remote for its branches once, as a fetch begins, and keeps nothing of it.
 * @throws SourceError that holds no credential
 */
export async function tryRemote(
  url: string,
  access: GitAccess,
  { timeLimitMs, ...asked }: Asked & { timeLimitMs: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "millrace-remote-"));
  let secret: string | undefined;
  try {
    const askpass = await installAskpass(folder);
    const environment = await gitEnvironment({ url, access, gitDir: join(folder, "none.git"), askpass });
    secret = environment.MILLRACE_GIT_PASSWORD;
    await withRemoteLimits(environment, { timeLimitMs }, (signal) =>
      openGit(folder, environment, { signal }).raw(["ls-remote", "--heads", "--", url]),
    );
  } catch (error) {
    throw explainFailure(url, error, secret, asked);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
