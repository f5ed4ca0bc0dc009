import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Mirror, mirrorAt, type Remote } from "./mirror.ts";
import { removeUnusedMirrors } from "./unused-mirrors.ts";

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
