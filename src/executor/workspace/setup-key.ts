import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { localGitEnvironment } from "../../git/git-environment.ts";
import { openGit } from "../../git/open-git.ts";

/** Where a clone is in its history. */
export interface ClonePlace {
  /** Empty in a repository without any. */
  commit: string;
  /** A hash of what else commands may find out with git: where it comes from, the branch, the tags. */
  history: string;
}

/** Everything that the result of setup commands may depend on, but for the network and the time. */
export interface SetupKey {
  /** Whose it is: the hash of its uid. */
  factory: string;
  /** Hashes of what was given to the commands. */
  parts: Readonly<Record<KeyPart, string>>;
  /** By their folders. Their lock files are among what the commits say. */
  repositories: Readonly<Record<string, ClonePlace>>;
}

/** How a miss describes each when it is another one. */
const CHANGES = {
  commands: "the setup commands changed",
  sandbox: "the sandbox or its image changed",
  system: "the programs of the machine changed",
  machine: "the run asks for another machine",
  network: "the network policy is another one",
  environment: "the environment variables are other ones",
  tools: "the skills or MCP servers of the run are other ones",
  author: "the commits have another author",
  origin: "the event is from another repository",
} as const;

export type KeyPart = keyof typeof CHANGES;

/** Lock files by their paths in the workspace, each with a hash of its content. */
export type LockFiles = Readonly<Record<string, string>>;

export function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** Why a snapshot cannot be used for a key: the first that is different, in words without a full stop. */
export function whyAnother(
  { parts, repositories }: SetupKey,
  lockFiles: LockFiles,
  made: { key: SetupKey; lockFiles: LockFiles },
): string {
  for (const [part, says] of Object.entries(CHANGES))
    if (parts[part as KeyPart] !== made.key.parts[part as KeyPart]) return says;
  for (const folder of new Set([...Object.keys(repositories), ...Object.keys(made.key.repositories)]))
    if (!(folder in made.key.repositories) || !(folder in repositories))
      return "the run has other repositories";
  for (const path of new Set([...Object.keys(made.lockFiles), ...Object.keys(lockFiles)])) {
    if (lockFiles[path] === made.lockFiles[path]) continue;
    return `${path} ${lockFiles[path] === undefined ? "was removed" : made.lockFiles[path] === undefined ? "was added" : "changed"}`;
  }
  for (const [folder, { commit }] of Object.entries(repositories)) {
    const before = made.key.repositories[folder]?.commit ?? "";
    if (commit !== before) return `${folder} is at commit ${short(commit)}, and was at ${short(before)}`;
  }
  return "the branch or the tags of a repository are other ones";
}

const short = (commit: string) => commit.slice(0, 12) || "none";

/** How many parts of two keys are different. */
export function distance(one: SetupKey, other: SetupKey): number {
  const parts = Object.keys(CHANGES).filter(
    (part) => one.parts[part as KeyPart] !== other.parts[part as KeyPart],
  );
  return parts.length + (hashOf(one.repositories) === hashOf(other.repositories) ? 0 : 1);
}

/** Where a clone is, in which no program of a run has been. */
export async function placeOfClone(folder: string, signal: AbortSignal): Promise<ClonePlace> {
  const git = openGit(folder, localGitEnvironment(), { signal });
  const [commit, head, refs, origin] = await Promise.all([
    git.raw(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).catch(() => ""),
    readFile(join(folder, ".git", "HEAD"), "utf8"),
    git.raw(["for-each-ref", "--format=%(objectname) %(refname)", "refs/tags"]),
    git.raw(["config", "--get", "remote.origin.url"]),
  ]);
  return { commit: commit.trim(), history: hashOf([head, refs, origin]) };
}

/** Where packages of the system are listed, which change when one is installed. */
const PACKAGE_LISTS = ["/etc/os-release", "/var/lib/dpkg/status", "/lib/apk/db/installed", "/var/lib/rpm"];

/** What changes when programs of this machine do that setup commands find without an image. */
export async function describeSystem(path: string): Promise<unknown> {
  const places = [...PACKAGE_LISTS, ...path.split(delimiter).filter(Boolean)];
  const times = await Promise.all(
    places.map((place) =>
      stat(place).then(
        ({ mtimeMs, ino }) => [place, mtimeMs, ino],
        () => [place],
      ),
    ),
  );
  return [process.platform, process.arch, times];
}
