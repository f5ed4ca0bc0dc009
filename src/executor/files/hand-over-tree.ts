import { closeSync, constants, fchownSync, fstatSync, lchownSync, lstatSync, openSync } from "node:fs";
import { walkTree } from "./walk-tree.ts";

export interface HandOverOptions {
  folder: string;
  uid: number;
  gid: number;
}

/**
 * Gives a folder and all in it to a user. Symbolic links are not followed. A file with several names keeps its owner: its
 * other names may lie elsewhere, and what is there does not belong to the run.
 */
export function* handOverTree({ folder, uid, gid }: HandOverOptions): Generator<void, void> {
  handOverTop(folder, uid, gid);
  yield* walkTree(folder, {
    visit({ at, stat }) {
      const isShared = !stat.isDirectory() && stat.nlink > 1;
      if (stat.uid !== uid && !isShared) lchownSync(at, uid, gid);
    },
  });
}

function handOverTop(folder: string, uid: number, gid: number): void {
  if (lstatSync(folder).uid === uid) return;
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (fstatSync(handle).uid !== uid) fchownSync(handle, uid, gid);
  } finally {
    closeSync(handle);
  }
}
