import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { systemCode } from "../../errors/error.ts";

// What this server may not look at, it cannot show either: then it is as if it were not there.

const HEAD_BYTES = 8192;

export function exists(path: string): boolean {
  return statOf(path) !== undefined;
}

/** Whether a path is a file that someone may execute. */
export function isProgram(path: string): boolean {
  const found = statOf(path);
  return found?.isFile() === true && (found.mode & 0o111) !== 0;
}

export function isFile(path: string): boolean {
  return statOf(path)?.isFile() === true;
}

/** Whether a path is a file that every user of this machine may read, as far as its own mode says. */
export function isReadableByAll(path: string): boolean {
  const found = statOf(path);
  return found?.isFile() === true && (found.mode & 0o004) !== 0;
}

/** The names in a folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The text of a small file. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The first bytes of a file of any size; scripts begin with what they are. */
export function headOf(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0));
  } catch {
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A symbolic link as it stands in the file system: its parent folder is no link, and `to` is its text. */
export interface Link {
  link: string;
  to: string;
}

/** The kernel follows no more either. */
const MAX_LINKS = 40;

/**
 * Follows a path as the kernel does, one name after the other.
 * @returns where it ends, and every link on the way: of the path, of its folders, and of what those lead to
 */
export function followLinks(path: string): { real: string; links: Link[] } {
  const links: Link[] = [];
  let real = "/";
  let names = namesOf(path);
  while (names.length > 0) {
    const [name = "", ...rest] = names;
    if (name === "..") {
      real = dirname(real);
      names = rest;
      continue;
    }
    const here = join(real, name);
    const to = links.length < MAX_LINKS ? readLink(here) : undefined;
    if (to === undefined) {
      real = here;
      names = rest;
      continue;
    }
    links.push({ link: here, to });
    if (isAbsolute(to)) real = "/";
    names = [...namesOf(to), ...rest];
  }
  return { real, links };
}

const namesOf = (path: string) => path.split("/").filter((name) => name !== "" && name !== ".");

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    // No link, nothing, or a folder that this server may not search: the rest is taken as it is written.
    if (systemCode(error) !== undefined) return undefined;
    throw error;
  }
}
