import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../errors/error.ts";
import { lockFile } from "./sqlite/sqlite.ts";

/** Where a lock could not be taken, and why; or the file of the lock and its release, which a second taker does not get. */
export type PathLock = { unavailable: string } | { file: string; release: (() => void) | undefined };

/** Folders that outlive a data folder, the first that can be used; only the superuser's own lies where no one else writes. */
const candidates = (uid: number) => [
  ...(uid === 0 ? ["/run/millrace-locks"] : []),
  `/tmp/millrace-${uid}-locks`,
];

/**
 * Locks the path of a data folder, in a file outside of it: a server whose folder was deleted still has this lock while a
 * second one makes the folder again. A file that only this user can write is used, and no socket: any process of the
 * machine, an agent too, can take the name of a socket.
 */
export async function lockPath(path: string): Promise<PathLock> {
  const uid = process.geteuid?.() ?? 0;
  const name = createHash("sha256")
    .update(await realpath(path))
    .digest("hex")
    .slice(0, 32);
  const reasons: string[] = [];
  for (const folder of candidates(uid)) {
    try {
      await requireOwnFolder(folder, uid);
      const file = join(folder, `${name}.lock`);
      return { file, release: lockFile(file) };
    } catch (error) {
      reasons.push(errorMessage(error));
    }
  }
  return { unavailable: reasons.join("; ") };
}

/** @throws Error when someone else has the folder, or could have put files into it */
async function requireOwnFolder(folder: string, uid: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder: remove it`);
  if (found.uid !== uid) throw new Error(`${folder} belongs to user ${found.uid}, not to ${uid}: remove it`);
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}
