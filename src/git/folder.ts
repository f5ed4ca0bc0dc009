import { createHash } from "node:crypto";
import { constants, realpathSync } from "node:fs";
import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage, systemCode } from "../errors/error.ts";
import { type Source, SourceError, type Tree, type TreeEntry } from "./revision.ts";

/** Where a walk ends, above every limit of a definition: loading refuses what is larger by its size alone. */
const MAX_ENTRIES = 20_000;
const MAX_READ_BYTES = 1024 * 1024;
const MAX_TOTAL_READ_BYTES = 96 * 1024 * 1024;
const READ_AT_ONCE = 64;
/** Neither through a link nor waiting for whoever writes into a pipe, should one have come into the place of a file. */
const AS_IT_STANDS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Whoever saves several files pauses for less than this between them. */
export const REST_MS = 500;
/** A folder in which something is always written is never read; after this long, its owner is told. */
const MAX_WAIT_MS = 10_000;

/** The clock that the times of files are held against, and what waits by it. */
export interface FolderClock {
  now(): number;
  wait(ms: number): Promise<void>;
}

const WALL_CLOCK: FolderClock = { now: Date.now, wait: (ms) => sleep(ms) };

/**
 * A working folder, read when nothing in it has changed for a while, so that no revision is half saved. Its revision is
 * a hash of its content.
 */
export function folderSource(path: string, isIgnored?: IgnoredPaths, clock?: FolderClock): Source {
  const latest = () => explained(path, () => readAtRest(path, isIgnored ?? ignoredPathsOf(path), clock));
  return {
    latest,
    async past(revision) {
      const tree = await latest();
      if (tree.revision.id === revision) return tree;
      throw new SourceError(
        "GIT_REVISION_MISSING",
        `The folder ${path} has changed, and its content at ${revision.slice(0, 12)} is not stored, because it was ` +
          "never active or an earlier version of millrace applied it: restore those files, or use a repository as the source.",
      );
    },
    contains: async (revision, commit) => revision.startsWith(commit),
  };
}

/**
 * Reads a folder's tree as it is now, also while somebody saves into it. The bytes that were hashed are the bytes that
 * are read later: a file that changes in between belongs to the next revision.
 * @throws SourceError when the folder is not there, or something in it cannot be read
 */
export async function readFolder(
  root: string,
  isIgnored: IgnoredPaths = ignoredPathsOf(root),
): Promise<Tree> {
  return explained(root, async () => {
    await requireFolder(root);
    return readFiles(root, (await listPaths(root, isIgnored)).paths);
  });
}

async function explained(root: string, read: () => Promise<Tree>): Promise<Tree> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(
      "GIT_UNREACHABLE",
      `The folder ${root} cannot be read: ${errorMessage(error)}. Give the server's user read access to the whole folder.`,
    );
  }
}

/**
 * Reads a tree that stood as a whole: by its files' own times nothing had changed for a while before it was read, and
 * nothing did until it had been read.
 */
async function readAtRest(root: string, isIgnored: IgnoredPaths, clock = WALL_CLOCK): Promise<Tree> {
  let waited = 0;
  let same = { print: "", since: 0 };
  for (;;) {
    const look = await lookAt(root, isIgnored, clock.now());
    if (look.print !== same.print) same = { print: look.print, since: waited };
    const quiet = look.age ?? waited - same.since;
    if (quiet >= REST_MS) {
      const tree = await readFiles(root, look.paths);
      if ((await lookAt(root, isIgnored, clock.now())).print === look.print) return tree;
    }
    if (waited >= MAX_WAIT_MS) throw neverAtRest(root, look.newest);
    const pause = quiet >= REST_MS ? REST_MS : Math.ceil(REST_MS - quiet);
    await clock.wait(pause);
    waited += pause;
  }
}

function neverAtRest(root: string, newest: string): SourceError {
  return new SourceError(
    "GIT_UNREACHABLE",
    `The folder ${root} keeps changing: ${newest || "the folder itself"} was changed last. A folder is read when nothing in it has changed for ` +
      `${REST_MS} ms: write logs and other output into another folder.`,
  );
}

interface Look {
  paths: FoundPath[];
  /** Changes with every file. */
  print: string;
  /** Milliseconds since the newest change; nothing when a time is in the future, which tells nothing. */
  age: number | undefined;
  /** What was changed last. */
  newest: string;
}

async function lookAt(root: string, isIgnored: IgnoredPaths, now: number): Promise<Look> {
  await requireFolder(root);
  const { paths, folders } = await listPaths(root, isIgnored);
  // What is removed, or renamed over, changes only the times of its folder.
  const all = [...paths, ...folders.map((path) => ({ path, kind: "folder" as const }))];
  const prints: string[] = [];
  let newest = { at: Number.NEGATIVE_INFINITY, path: "" };
  for (let at = 0; at < all.length; at += READ_AT_ONCE) {
    const found = await Promise.all(
      all.slice(at, at + READ_AT_ONCE).map(async ({ path, kind }) => {
        const stats = await lstat(join(root, path)).catch((error) => nothingWhenGone(error)[0]);
        return { path, kind, stats };
      }),
    );
    for (const { path, kind, stats } of found) {
      if (kind !== "folder") {
        const { ino, size, mode, mtimeMs, ctimeMs } = stats ?? {};
        prints.push(`${kind} ${ino} ${size} ${mode} ${mtimeMs} ${ctimeMs} ${path}`);
      }
      // A time of content may be set to any; that of the entry is the system's.
      const changed = stats ? Math.max(stats.ctimeMs, stats.mtimeMs > now ? 0 : stats.mtimeMs) : now;
      if (changed > newest.at) newest = { at: changed, path };
    }
  }
  const print = createHash("sha256").update(prints.join("\0")).digest("hex");
  return { paths, print, age: newest.at > now ? undefined : now - newest.at, newest: newest.path };
}

async function readFiles(root: string, paths: readonly FoundPath[]): Promise<Tree> {
  const contents = new Map<string, Buffer>();
  const entries: TreeEntry[] = [];
  let bytesRead = 0;
  for (let at = 0; at < paths.length; at += READ_AT_ONCE) {
    const batch = await Promise.all(
      paths.slice(at, at + READ_AT_ONCE).map((path) => readEntry(root, path, bytesRead)),
    );
    for (const { entry, bytes } of batch.filter((read) => read !== undefined)) {
      bytesRead += entry.size;
      entries.push(entry);
      if (bytes) contents.set(entry.id, bytes);
    }
  }
  // Of a folder that was taken away meanwhile, what was left is no revision.
  await requireFolder(root);
  return {
    revision: { id: hashTree(entries), author: undefined, message: undefined },
    entries,
    read: async (wanted) => new Map(wanted.map(({ id }) => [id, contents.get(id) ?? Buffer.alloc(0)])),
  };
}

async function requireFolder(root: string): Promise<void> {
  if (!(await isFolder(root))) throw new SourceError("GIT_UNREACHABLE", `The folder ${root} does not exist.`);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

type FoundPath = Pick<TreeEntry, "path" | "kind">;

/** Every path below the root, sorted, and the folders that they are in; walks with a list instead of recursion. */
async function listPaths(root: string, isIgnored: IgnoredPaths) {
  const paths: FoundPath[] = [];
  const walked: string[] = [];
  let folders = [""];
  while (folders.length > 0 && paths.length < MAX_ENTRIES) {
    const batch = folders.slice(0, READ_AT_ONCE);
    walked.push(...batch);
    const listed = await Promise.all(batch.map((folder) => listFolder(root, folder, isIgnored)));
    // One by one: a call takes only so many arguments, and a folder can hold more files than that.
    for (const found of listed) for (const path of found.paths) paths.push(path);
    folders = [...folders.slice(READ_AT_ONCE), ...listed.flatMap((found) => found.folders)];
  }
  return {
    paths: paths.slice(0, MAX_ENTRIES).sort((a, b) => (a.path < b.path ? -1 : 1)),
    folders: walked,
  };
}

async function listFolder(root: string, folder: string, isIgnored: IgnoredPaths) {
  const paths: FoundPath[] = [];
  const folders: string[] = [];
  for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(nothingWhenGone)) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isIgnored(path)) continue;
    if (entry.isDirectory()) folders.push(path);
    else if (entry.isFile()) paths.push({ path, kind: "file" });
    else if (entry.isSymbolicLink()) paths.push({ path, kind: "symlink" });
  }
  return { paths, folders };
}

/** A file's bytes and their hash; of one too large to be a definition, its size. Nothing when it is gone meanwhile. */
async function readEntry(root: string, { path, kind }: FoundPath, bytesRead: number) {
  if (kind !== "file") return { entry: { path, kind, size: 0, id: kind } };
  // Node gives names that are no UTF-8 in a form by which nothing is found.
  if (path.includes("\ufffd")) return { entry: { path, kind, size: 0, id: "no-utf8" } };
  try {
    const { size, mtimeMs, mode } = await lstat(join(root, path));
    const executable = (mode & constants.S_IXUSR) === 0 ? {} : { executable: true as const };
    if (size > MAX_READ_BYTES || bytesRead > MAX_TOTAL_READ_BYTES) {
      return { entry: { path, kind, size, id: `large-${size}-${mtimeMs}`, ...executable } };
    }
    const bytes = await readFile(join(root, path), { flag: AS_IT_STANDS });
    const id = createHash("sha256").update(bytes).digest("hex");
    return { entry: { path, kind, size: bytes.length, id, ...executable }, bytes };
  } catch (error) {
    return nothingWhenGone(error)[0];
  }
}

/** What is removed, or replaced by a link, between two looks belongs to the next revision. */
function nothingWhenGone(error: unknown): never[] {
  if (["ENOENT", "ELOOP"].includes(systemCode(error) ?? "")) return [];
  throw error;
}

function hashTree(entries: readonly TreeEntry[]): string {
  const hash = createHash("sha256");
  for (const { kind, id, path, executable } of entries) {
    hash.update(`${executable ? "executable" : kind} ${id} ${path}\0`);
  }
  return hash.digest("hex");
}

/** Tells of a path, relative to the root of a folder, whether it and what is below it are left out. */
export type IgnoredPaths = (path: string) => boolean;

/**
 * Hidden entries hold no definitions, and dependencies are not ours. What the server itself writes has to be left out
 * wherever it lies: each pass would be a change of the folder, which asks for the next pass.
 */
export function ignoredPathsOf(root: string, own: readonly string[] = []): IgnoredPaths {
  const inside = new Set(own.map((path) => relative(realPath(root), realPath(path))));
  return (path) => {
    const name = basename(path);
    return name.startsWith(".") || name === "node_modules" || inside.has(path);
  };
}

/** A path without symbolic links, also of something that is not there yet. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
