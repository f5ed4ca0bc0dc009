import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";

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
