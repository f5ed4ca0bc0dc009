import { createHash } from "node:crypto";
import { renameSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { emptyIfMissing } from "../../errors/error.ts";
import { newUid } from "../../id.ts";
import { type Mirror, mirrorAt, type Remote } from "./mirror.ts";

/** A repository, and the forge whose credential opens it. */
export interface ForgeRemote extends Remote {
  forge: string;
}

/** The mirrors of the repositories that runs work on, each made when it is first asked for. */
export interface MirrorCache {
  of(remote: ForgeRemote): Mirror;
  /** Removes those that no run has needed since an instant. */
  removeUnused(before: Date, signal?: AbortSignal): Promise<void>;
}

/**
 * One mirror per forge and URL, however many runs ask for it. What the credential of a forge has fetched is not read through
 * another forge of the same URL, which other factories may use.
 * @param gitFolder the git folder of the data folder
 * @param mostBytes what each may take of the disk; 0 for any size
 */
export function createMirrorCache(gitFolder: string, mostBytes = 0): MirrorCache {
  const mirrors = new Map<string, Mirror>();
  const folder = join(gitFolder, "mirrors");
  return {
    of(remote) {
      const key = JSON.stringify([remote.forge, remote.url]);
      const known = mirrors.get(key);
      if (known) return known;
      const name = createHash("sha256").update(key).digest("hex").slice(0, 24);
      const mirror = mirrorAt(join(folder, `${name}.git`), remote, gitFolder, mostBytes);
      mirrors.set(key, mirror);
      return mirror;
    },
    removeUnused: (before, signal) => removeUnusedMirrors(folder, before, signal),
  };
}

const REMOVED = ".removed-";
const MIRROR = /\.git(\.removed-.*)?$/;

/**
 * Removes the mirrors in a folder that nothing has used since an instant, and what an earlier removal has left. Whoever
 * wants such a mirror again makes it anew.
 * @param isServed mirrors that stay, by their names
 */
export async function removeUnusedMirrors(
  folder: string,
  before: Date,
  signal?: AbortSignal,
  isServed: (name: string) => boolean = () => false,
): Promise<void> {
  for (const name of await readdir(folder).catch(emptyIfMissing)) {
    if (!MIRROR.test(name) || isServed(name)) continue;
    if (signal?.aborted) return;
    const path = join(folder, name);
    const away = name.includes(REMOVED) ? path : moveAway(path, before);
    if (away !== undefined) await rm(away, { recursive: true, force: true });
  }
}

/**
 * Looking and moving happen in one turn of the event loop. A refresh marks the mirror before it does anything else with it,
 * so one that begins meanwhile either keeps it or finds it gone. @returns where it is now
 */
function moveAway(path: string, before: Date): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || found.mtimeMs >= before.getTime()) return undefined;
  const away = `${path}${REMOVED}${newUid()}`;
  renameSync(path, away);
  return away;
}
