import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage, systemCode } from "../errors/error.ts";
import { type IgnoredPaths, ignoredPathsOf } from "./ignored-paths.ts";
import { type Source, SourceError, type Tree, type TreeEntry } from "./revision.ts";

/** Where a walk ends, above every limit of a definition: loading refuses what is larger by its size alone. */
const MAX_ENTRIES = 20_000;
const MAX_READ_BYTES = 1024 * 1024;
const MAX_TOTAL_READ_BYTES = 96 * 1024 * 1024;
const READ_AT_ONCE = 64;
/** Neither through a link nor waiting for whoever writes into a pipe, should one have come into the place of a file. */
const AS_IT_STANDS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A working folder, read as it is now. Its revision is a hash of its content. */
export function folderSource(path: string, isIgnored?: IgnoredPaths): Source {
  const latest = () => readFolder(path, isIgnored);
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
 * Reads a folder's tree. The bytes that were hashed are the bytes that are read later: a file that changes
 * in between belongs to the next revision.
 * @throws SourceError when the folder is not there, or something in it cannot be read
 */
export async function readFolder(
  root: string,
  isIgnored: IgnoredPaths = ignoredPathsOf(root),
): Promise<Tree> {
  try {
    return await readFiles(root, isIgnored);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(
      "GIT_UNREACHABLE",
      `The folder ${root} cannot be read: ${errorMessage(error)}. Give the server's user read access to the whole folder.`,
    );
  }
}

async function readFiles(root: string, isIgnored: IgnoredPaths): Promise<Tree> {
  await requireFolder(root);
  const contents = new Map<string, Buffer>();
  const entries: TreeEntry[] = [];
  const paths = await listPaths(root, isIgnored);
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

/** Every path below the root, sorted; walks with a list instead of recursion. */
async function listPaths(root: string, isIgnored: IgnoredPaths): Promise<FoundPath[]> {
  const paths: FoundPath[] = [];
  let folders = [""];
  while (folders.length > 0 && paths.length < MAX_ENTRIES) {
    const batch = folders.slice(0, READ_AT_ONCE);
    const listed = await Promise.all(batch.map((folder) => listFolder(root, folder, isIgnored)));
    // One by one: a call takes only so many arguments, and a folder can hold more files than that.
    for (const found of listed) for (const path of found.paths) paths.push(path);
    folders = [...folders.slice(READ_AT_ONCE), ...listed.flatMap((found) => found.folders)];
  }
  return paths.slice(0, MAX_ENTRIES).sort((a, b) => (a.path < b.path ? -1 : 1));
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
