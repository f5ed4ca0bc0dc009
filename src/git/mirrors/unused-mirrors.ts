import { renameSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { emptyIfMissing } from "../../errors/error.ts";
import { newUid } from "../../id.ts";

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
