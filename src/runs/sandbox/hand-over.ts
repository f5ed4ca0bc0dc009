import { lchown, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RunUser } from "./run-user.ts";

/**
 * Gives a folder and all in it to a user. Symbolic links are not followed. A file with several names keeps its owner: its
 * other names may lie elsewhere, and what is there is not the run's.
 */
export async function handOver(path: string, user: RunUser): Promise<void> {
  const entry = await lstat(path);
  const isShared = !entry.isDirectory() && entry.nlink > 1;
  if (entry.uid !== user.uid && !isShared) await lchown(path, user.uid, user.gid);
  if (!entry.isDirectory()) return;
  await Promise.all((await readdir(path)).map((name) => handOver(join(path, name), user)));
}
