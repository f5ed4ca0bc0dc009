import { constants, existsSync, type Stats } from "node:fs";
import { type FileHandle, mkdir, open, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../errors/error.ts";

/**
 * A folder that an agent may write, held open. Whatever the agent moves or links in the meantime, `at` leads into this
 * folder and nowhere else.
 */
export interface OpenFolder {
  /** The folder itself, for calls that read it. */
  path: string;
  /** A thing directly in the folder, for calls that do not follow a link at the end of a path. */
  at(name: string): string;
  close(): Promise<void>;
}

/** Where the system shows open files by their numbers; elsewhere paths have to do. */
const DESCRIPTORS = "/proc/self/fd";
const HAS_DESCRIPTORS = existsSync(DESCRIPTORS);
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A named pipe without a writer would never open. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens the folder of a run, or any other that the server itself has made.
 * @throws what Node throws, when there is no folder or a link at this path
 */
export async function openFolder(path: string): Promise<OpenFolder> {
  return asFolder(await open(path, FOLDER), path);
}

/**
 * Opens a folder beneath another one, component by component: no link on the way is followed, and no other file system
 * entered.
 * @throws what Node throws, or that the folder lies on another file system
 */
export async function openFolderBeneath(from: OpenFolder, names: readonly string[]): Promise<OpenFolder> {
  return descend(from, names, (folder, name) => open(folder.at(name), FOLDER));
}

/**
 * Opens a folder beneath another one as `openFolderBeneath` does, and makes what is not a folder on the way into one.
 */
export async function makeFolderBeneath(from: OpenFolder, names: readonly string[]): Promise<OpenFolder> {
  return descend(from, names, openOrMake);
}

/**
 * Opens a plain file for reading, beneath a folder. A file with a second name is refused: the other one may lie
 * elsewhere.
 * @throws what Node throws, or what is not as expected
 */
export async function openFileBeneath(from: OpenFolder, names: readonly string[]): Promise<FileHandle> {
  const folder = await openFolderBeneath(from, names.slice(0, -1));
  try {
    const file = await open(folder.at(names.at(-1) ?? ""), FILE);
    const { dev } = await stat(from.path);
    await refuse(file, names, (found) => {
      if (!found.isFile()) return "is not a plain file";
      if (found.nlink !== 1) return "has another hard link, which may be outside the workspace";
      return found.dev !== dev && ELSEWHERE;
    });
    return file;
  } finally {
    await folder.close();
  }
}

type Enter = (folder: OpenFolder, name: string) => Promise<FileHandle>;

/** Opens one folder after the other; the caller closes the last, and the first stays open. */
async function descend(from: OpenFolder, names: readonly string[], enter: Enter): Promise<OpenFolder> {
  const { dev } = await stat(from.path);
  let folder = await openFolder(`${from.path}/.`);
  for (const [index, name] of names.entries()) {
    const above = folder;
    try {
      const handle = await enter(above, name);
      folder = asFolder(handle, above.at(name));
      await refuse(handle, names.slice(0, index + 1), (found) => found.dev !== dev && ELSEWHERE);
    } finally {
      await above.close();
    }
  }
  return folder;
}

async function openOrMake(folder: OpenFolder, name: string): Promise<FileHandle> {
  const path = folder.at(name);
  try {
    return await open(path, FOLDER);
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ELOOP") throw error;
    if (code !== "ENOENT") await unlink(path);
    await mkdir(path, { mode: 0o700 });
    return open(path, FOLDER);
  }
}

function asFolder(handle: FileHandle, place: string): OpenFolder {
  const path = HAS_DESCRIPTORS ? `${DESCRIPTORS}/${handle.fd}` : place;
  return {
    path,
    at(name) {
      if (name === "" || name === "." || name === ".." || name.includes("/"))
        throw new TypeError(`"${name}" is a path; expected the name of a file or folder`);
      return join(path, name);
    },
    close: () => handle.close(),
  };
}

const ELSEWHERE = "is on another file system";

/** Closes what was opened, and throws, when something is wrong with it. */
async function refuse(
  handle: FileHandle,
  names: readonly string[],
  whatIsWrong: (found: Stats) => string | false,
): Promise<void> {
  try {
    const wrong = whatIsWrong(await handle.stat());
    if (wrong) throw new Error(`${names.join("/")} ${wrong}`);
  } catch (error) {
    await handle.close();
    throw error;
  }
}
