import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { HAS_DESCRIPTORS } from "./open-level.ts";

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A named pipe without a writer would never open. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file beneath a folder, component by component, without following links or leaving the file system.
 * @returns nothing for what is not a plain file with one name
 */
export function openPlainFile(root: string, names: readonly string[]): number | undefined {
  let folder = openSync(root, FOLDER);
  let path = root;
  try {
    const { dev } = fstatSync(folder);
    for (const [index, name] of names.entries()) {
      path = `${HAS_DESCRIPTORS ? `/proc/self/fd/${folder}` : path}/${name}`;
      const isLast = index === names.length - 1;
      const next = openSync(path, isLast ? FILE : FOLDER);
      const found = fstatSync(next);
      if (found.dev !== dev || (isLast && !(found.isFile() && found.nlink === 1))) {
        closeSync(next);
        return undefined;
      }
      if (isLast) return next;
      closeSync(folder);
      folder = next;
    }
    return undefined;
  } finally {
    closeSync(folder);
  }
}
