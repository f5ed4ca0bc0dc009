import { randomBytes } from "node:crypto";
import { link, lstat, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MillraceError, systemCode } from "../errors/error.ts";

/**
 * The place below a folder for a file whose path an agent has chosen. A name that begins with a dot gets an underscore in its
 * place: `.git/config` and `.ssh/rc` are read by other programs.
 * @throws MillraceError for a path that leads out of the folder, or that a terminal or a file system reads in another way
 */
export function safePath(path: string): string[] {
  const names = path.split("/");
  const isWrong = names.some((name) => name === "" || name === "." || name === ".." || UNSAFE.test(name));
  if (isWrong || path.length > MAX_PATH) {
    throw new MillraceError("invalid_request", `The path ${JSON.stringify(path)} is not safe for a file.`, {
      remedy: "Download the artifact from the dashboard, under a name of your own.",
    });
  }
  return names.map((name) => name.replace(/^\./, "_"));
}

/** Control characters, characters that reverse text, and what separates folders, drives and streams on Windows. */
const UNSAFE = /\p{Cc}|[\u202a-\u202e\u2066-\u2069\\:]/u;
const MAX_PATH = 1_024;

/**
 * Writes a file below a folder as a whole or not at all: it gets its name when its content is there. No link below the folder
 * is followed.
 * @param folderOption the option of the command that names the folder
 * @throws MillraceError `conflict` if there is a file already, unless it is to be replaced
 */
export async function writeSafely(
  folder: string,
  names: readonly string[],
  content: AsyncIterable<Uint8Array>,
  { replaces, folderOption = "--output" }: { replaces: boolean; folderOption?: string },
): Promise<string> {
  const path = join(folder, ...names);
  const parent = dirname(path);
  await refuseLinks(folder, names.slice(0, -1), folderOption);
  if (!replaces && (await isThere(path))) throw alreadyThere(path, folderOption);
  const partial = join(parent, `.${basename(path).slice(0, 100)}.${randomBytes(6).toString("hex")}.partial`);
  const file = await open(partial, "wx", 0o644);
  try {
    try {
      for await (const chunk of content) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
    await (replaces ? rename(partial, path) : nameOnce(partial, path, folderOption));
  } finally {
    await rm(partial, { force: true });
  }
  return path;
}

/** Makes the folders one by one: each has to be where its name says, and not where a link leads. */
async function refuseLinks(folder: string, names: readonly string[], folderOption: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  let path = await realpath(folder);
  for (const name of names) {
    path = join(path, name);
    await mkdir(path).catch((error) => {
      if (systemCode(error) !== "EEXIST") throw error;
    });
    if ((await lstat(path)).isDirectory()) continue;
    throw new MillraceError("conflict", `${path} is a link or a file, so nothing is written below it.`, {
      remedy: `Specify an empty folder with ${folderOption}.`,
      retryable: false,
    });
  }
}

/** A link never replaces what is there, however late it came. Some file systems have no links. */
async function nameOnce(partial: string, path: string, folderOption: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    if (systemCode(error) === "EEXIST" || (await isThere(path))) throw alreadyThere(path, folderOption);
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(systemCode(error) ?? "")) throw error;
    await rename(partial, path);
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function alreadyThere(path: string, folderOption: string): MillraceError {
  return new MillraceError("conflict", `${path} already exists.`, {
    remedy: `Use --force to replace it, or specify an empty folder with ${folderOption}.`,
    retryable: false,
  });
}
