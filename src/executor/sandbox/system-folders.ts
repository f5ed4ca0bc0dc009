import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { copyEtc } from "./copy-etc.ts";

/** Where the programs of the system are. On today's systems all but the first are links into it. */
const FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];

/** What changes while a server runs. */
const LIVE = ["/etc/resolv.conf", "/etc/hosts"];

/**
 * The options of bubblewrap that show the system's folders as they are, and an /etc that is put together here: each single
 * mount costs every start half a millisecond, so what changes seldom is a copy.
 * @param folder where the copies are kept
 */
export async function systemFolders(folder: string): Promise<string[]> {
  const shown = await Promise.all(FOLDERS.map(shownAsItIs));
  copyEtc(folder, LIVE);
  const live = await Promise.all(
    LIVE.map(async (path) => ((await entryAt(path)) ? ["--ro-bind", path, path] : [])),
  );
  return [...shown.flat(), "--ro-bind", join(folder, "etc"), "/etc", ...live.flat()];
}

/** Whether a path lies where every program of a sandbox can read, or where it has its own of the same name. */
export function isSystemPath(path: string): boolean {
  if (path === "/tmp") return true;
  return [...FOLDERS, "/proc", "/dev", "/sys"].some(
    (folder) => path === folder || path.startsWith(`${folder}/`),
  );
}

async function shownAsItIs(path: string): Promise<string[]> {
  const entry = await entryAt(path);
  if (!entry) return [];
  return entry.isSymbolicLink() ? ["--symlink", await readlink(path), path] : ["--ro-bind", path, path];
}

async function entryAt(path: string) {
  return lstat(path).catch(() => undefined);
}
