import { lstat, rename, unlink, writeFile } from "node:fs/promises";
import { systemCode } from "../../errors/error.ts";
import { makeFolderBeneath, type OpenFolder, openFolder } from "./open-beneath.ts";
import { removeTree } from "./remove-tree.ts";

export interface OwnFile {
  path: readonly string[];
  content: string | Uint8Array;
}

/**
 * Writes a file of millrace's own into a workspace in which an agent may have been: a link that lies in the way is
 * replaced and never followed, which would write wherever it leads.
 */
export async function writeOwnFile(
  workspace: string,
  path: readonly string[],
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  await inOwnFolder(workspace, path.slice(0, -1), (folder) =>
    write(folder, path.at(-1) ?? "", content, mode),
  );
}

/** Writes files as `writeOwnFile` does, those directly in the workspace at the same time. */
export async function writeOwnFiles(workspace: string, files: readonly OwnFile[]): Promise<void> {
  const isDirect = ({ path }: OwnFile) => path.length === 1;
  await inOwnFolder(workspace, [], async (root) => {
    const writing = files
      .filter(isDirect)
      .map(({ path: [name = ""], content }) => write(root, name, content, 0o600));
    // Until all have ended: the number of the folder would be another one's.
    for (const each of await Promise.allSettled(writing)) if (each.status === "rejected") throw each.reason;
  });
  for (const { path, content } of files.filter((file) => !isDirect(file)))
    await writeOwnFile(workspace, path, content);
}

async function write(
  folder: OpenFolder,
  name: string,
  content: string | Uint8Array,
  mode: number,
): Promise<void> {
  // Makes the file, and fails if there is anything.
  const make = () => writeFile(folder.at(name), content, { mode, flag: "wx" });
  try {
    await make();
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    await clear(folder, name);
    await make();
  }
}

/** Sees to it that there is a real folder at a path, and works in it. */
export async function inOwnFolder<T>(
  workspace: string,
  path: readonly string[],
  work: (folder: OpenFolder) => Promise<T>,
): Promise<T> {
  const root = await openFolder(workspace);
  try {
    if (path.length === 0) return await work(root);
    const folder = await makeFolderBeneath(root, path);
    return await work(folder).finally(folder.close);
  } finally {
    await root.close();
  }
}

/**
 * Moves a thing of the workspace to another place in it, unless there is something or nothing was there.
 * @param from its name, directly in the workspace
 */
export async function moveOwn(workspace: string, from: string, to: readonly string[]): Promise<void> {
  await inOwnFolder(workspace, to.slice(0, -1), async (folder) => {
    const target = folder.at(to.at(-1) ?? "");
    if (await isThere(target)) return;
    await inOwnFolder(workspace, [], (root) => rename(root.at(from), target)).catch((error) => {
      // The agent may have taken it away.
      if (systemCode(error) !== "ENOENT") throw error;
    });
  });
}

/** Whether anything lies at a path, a link that leads nowhere too. */
export async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

async function clear(folder: OpenFolder, name: string): Promise<void> {
  try {
    await unlink(folder.at(name));
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return;
    // What unlink(2) says of a folder differs from one system to the other.
    if (code !== "EISDIR" && code !== "EPERM") throw error;
    await removeTree(`./${name}`, undefined, folder.path);
  }
}
