import { createHash } from "node:crypto";
import { opendir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../error.ts";
import { type EntryKind, type Source, SourceError, type Tree, type TreeEntry } from "./revision.ts";

/** Where a walk ends, above every limit of a definition: loading refuses what is larger by its size alone. */
const MOST_ENTRIES = 20_000;
const LARGEST_READ_BYTES = 1024 * 1024;
const MOST_READ_BYTES = 96 * 1024 * 1024;

/** Hidden entries hold no definitions and may be the data folder or `.git` itself; dependencies are not ours. */
export function isLeftOut(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/** A working folder, read as it is now. Its revision is a hash of its content. */
export function folderSource(path: string): Source {
  return { latest: () => readFolder(path) };
}

/**
 * Reads a folder's tree. The bytes that were hashed are the bytes that are read later: a file that changes
 * in between belongs to the next revision.
 * @throws SourceError when the folder is not there
 */
export async function readFolder(root: string): Promise<Tree> {
  const found = await stat(root).catch(() => undefined);
  if (!found?.isDirectory()) throw new SourceError("GIT_UNREACHABLE", `There is no folder ${root}.`);
  const contents = new Map<string, Buffer>();
  const entries: TreeEntry[] = [];
  let bytesRead = 0;
  for (const { path, kind } of await listPaths(root)) {
    const entry = kind === "file" ? await readEntry(join(root, path), bytesRead) : { size: 0, id: kind };
    if (!entry) continue;
    bytesRead += entry.size;
    if ("bytes" in entry) contents.set(entry.id, entry.bytes);
    entries.push({ path, kind, size: entry.size, id: entry.id });
  }
  return {
    revision: { id: hashTree(entries), author: undefined, message: undefined },
    entries,
    read: async (wanted) => new Map(wanted.map(({ id }) => [id, contents.get(id) ?? Buffer.alloc(0)])),
  };
}

/** Every path below the root, sorted; walks with a list instead of recursion. */
async function listPaths(root: string): Promise<{ path: string; kind: EntryKind }[]> {
  const paths: { path: string; kind: EntryKind }[] = [];
  const folders = [""];
  for (
    let folder = folders.pop();
    folder !== undefined && paths.length < MOST_ENTRIES;
    folder = folders.pop()
  ) {
    for await (const entry of await opendir(join(root, folder))) {
      if (isLeftOut(entry.name)) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) paths.push({ path, kind: "file" });
      else if (entry.isSymbolicLink()) paths.push({ path, kind: "symlink" });
    }
  }
  return paths.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A file's bytes and their hash; of one too large to be a definition, its size. Nothing when it is gone meanwhile. */
async function readEntry(path: string, bytesRead: number) {
  try {
    const { size, mtimeMs } = await stat(path);
    if (size > LARGEST_READ_BYTES || bytesRead > MOST_READ_BYTES)
      return { size, id: `large-${size}-${mtimeMs}` };
    const bytes = await readFile(path);
    return { size: bytes.length, id: createHash("sha256").update(bytes).digest("hex"), bytes };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function hashTree(entries: readonly TreeEntry[]): string {
  const hash = createHash("sha256");
  for (const entry of entries) hash.update(`${entry.kind} ${entry.id} ${entry.path}\0`);
  return hash.digest("hex");
}
