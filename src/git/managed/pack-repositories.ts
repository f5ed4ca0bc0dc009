import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { emptyIfMissing } from "../../errors/error.ts";
import { environmentAt } from "./place-repository.ts";

const run = promisify(execFile);

/** An edit adds about four loose objects; git itself packs at some 6,700. */
const MAX_LOOSE = 1_000;
/** A repository that is filled from the store gets a pack each time. */
const MAX_PACKS = 30;
/** What takes longer is ended, and begun again by the next round. */
const TIME_LIMIT_MS = 5 * 60_000;
/** What nothing refers to may belong to an edit that goes on. */
const UNUSED = "2.weeks.ago";

/**
 * Packs the repositories in a folder that have many small files. Edits can go on meanwhile: what is in a pack is removed only
 * when the pack is on the disk.
 * @param signal ends it between two steps, and the step that runs
 */
export async function packRepositories(folder: string, signal: AbortSignal): Promise<void> {
  for (const name of await readdir(folder).catch(emptyIfMissing)) {
    const path = join(folder, name);
    if (signal.aborted || !name.endsWith(".git") || !(await needsPacking(path))) continue;
    const git = (...args: string[]) =>
      run("git", args, { env: environmentAt(path), timeout: TIME_LIMIT_MS, killSignal: "SIGKILL", signal });
    const sparing = ["-c", "pack.threads=1", "-c", "pack.windowMemory=64m"];
    await git(...sparing, "repack", "-a", "-d", "-q");
    await git("prune", `--expire=${UNUSED}`);
  }
}

async function needsPacking(path: string): Promise<boolean> {
  const objects = join(path, "objects");
  const packs = await readdir(join(objects, "pack")).catch(emptyIfMissing);
  if (packs.filter((name) => name.endsWith(".pack")).length > MAX_PACKS) return true;
  let loose = 0;
  for (const name of await readdir(objects).catch(emptyIfMissing)) {
    if (!/^[0-9a-f]{2}$/.test(name)) continue;
    loose += (await readdir(join(objects, name)).catch(emptyIfMissing)).length;
    if (loose > MAX_LOOSE) return true;
  }
  return false;
}
