import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Mirror, mirrorAt, type Remote } from "./mirror.ts";
import { removeUnusedMirrors } from "./unused-mirrors.ts";

/** The mirrors of the repositories that runs work on, each made when it is first asked for. */
export interface MirrorCache {
  of(remote: Remote): Mirror;
  /** Removes those that no run has needed since an instant. */
  removeUnused(before: Date, signal?: AbortSignal): Promise<void>;
}

/**
 * One mirror per URL, however many runs ask for it.
 * @param gitFolder the git folder of the data folder
 * @param mostBytes what each may take of the disk; 0 for any size
 */
export function createMirrorCache(gitFolder: string, mostBytes = 0): MirrorCache {
  const mirrors = new Map<string, Mirror>();
  const folder = join(gitFolder, "mirrors");
  return {
    of(remote) {
      const known = mirrors.get(remote.url);
      if (known) return known;
      const name = createHash("sha256").update(remote.url).digest("hex").slice(0, 24);
      const mirror = mirrorAt(join(folder, `${name}.git`), remote, gitFolder, mostBytes);
      mirrors.set(remote.url, mirror);
      return mirror;
    },
    removeUnused: (before, signal) => removeUnusedMirrors(folder, before, signal),
  };
}
