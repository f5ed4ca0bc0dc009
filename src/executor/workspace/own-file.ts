import { spawn } from "node:child_process";
import { constants, existsSync, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, rename, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../errors/error.ts";

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

/**
 * Removes a thing from a workspace in which an agent may have been. What lies behind a link is not of the workspace, and
 * stays.
 */
export async function removeOwn(workspace: string, path: readonly string[]): Promise<void> {
  const [first = "", ...below] = path;
  const whole = join(workspace, first);
  if (below.length === 0) {
    if (await isThere(whole)) await removeTree(whole);
    return;
  }
  try {
    await removeBeneath(workspace, path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return;
    // An agent has made the folder such that nothing can be removed from it: then it goes with all that is in it.
    await removeTree(whole);
  }
}

async function removeBeneath(workspace: string, path: readonly string[]): Promise<void> {
  const name = path.at(-1) ?? "";
  const root = await openFolder(workspace);
  try {
    const folder = await openFolderBeneath(root, path.slice(0, -1));
    try {
      if (await isThere(folder.at(name))) await removeTree(`./${name}`, undefined, folder.path);
    } finally {
      await folder.close();
    }
  } finally {
    await root.close();
  }
}

/**
 * Removes a folder and all below it. The programs of the system do it, which cope with any depth, never follow a link and
 * keep this process free; what an agent has made read-only is made writable first.
 * @param from the folder that a relative path begins at; that of this process when it is not given
 * @throws Error that says what is in the way
 */
export async function removeTree(path: string, signal?: AbortSignal, from?: string): Promise<void> {
  const run = (command: string[]) => runProgram(command, from, signal);
  const first = await run(["rm", "-rf", "--", path]);
  if (first === undefined) return;
  signal?.throwIfAborted();
  await run(["chmod", "-R", "u+rwx", "--", path]);
  const again = await run(["rm", "-rf", "--", path]);
  if (again !== undefined) throw new Error(`${path} could not be removed: ${again}`);
}

/** @returns the last that a program complained about, when it has failed */
function runProgram(
  [command = "", ...args]: string[],
  cwd: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env.PATH, LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
      ...(signal ? { signal } : {}),
    });
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk).slice(-1_000);
    });
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => resolve(code === 0 ? undefined : complaint.trim() || `exit code ${code}`));
  });
}
