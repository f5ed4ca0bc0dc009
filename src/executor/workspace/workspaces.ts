import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../errors/error.ts";
import { isUuid, newUid } from "../../id.ts";
import type { Usage } from "../files/count-usage.ts";
import { removeOwn, removeTree } from "./own-file.ts";
import { objectsOf } from "./shared-objects.ts";

/** The folders of runs: one a run, for all of its turns. */
export interface Workspaces {
  /** Where they are. */
  readonly folder: string;
  /**
   * Takes a run's folder for one turn; until it is released, no one removes it.
   * @param anew whether what may be there is of no use
   */
  take(runId: string, anew: boolean): Promise<TakenWorkspace>;
  /** Runs that have a folder, which may be a great many. */
  list(): Promise<string[]>;
  /** Removes a run's folder, unless a turn has it. @returns whether it is gone */
  remove(runId: string, signal?: AbortSignal): Promise<boolean>;
  /** Whether a run's folder has something by this name. */
  holds(runId: string, name: string): Promise<boolean>;
  /** Removes one thing from a run's folder, whatever an agent has made of it. No link on the way to it is followed. */
  removeFrom(runId: string, name: string): Promise<void>;
  /** Removes what a removal has left that did not come to its end. */
  removeRemains(signal?: AbortSignal): Promise<void>;
}

export interface TakenWorkspace {
  path: string;
  /** Whether it is as an earlier turn has left it; otherwise it is empty. */
  isPrepared: boolean;
  /** Says that it is prepared, for the turns to come. */
  markPrepared(): Promise<void>;
  /** Empties it, when its preparation has to begin again. */
  empty(): Promise<void>;
  /** Notes what it takes of the disk, when a turn ends. */
  noteUsage(usage: LeftUsage): Promise<void>;
  release(): void;
}

/** Beside the folder and not in it, where an agent could take it away. */
const READY = ".ready";
const REMOVED = ".removed-";

export function openWorkspaces(folder: string): Workspaces {
  const taken = new Set<string>();
  const removals = new Map<string, Promise<void>>();

  /**
   * Out of the way immediately, and gone after a while: a caller that needs the names does not have to wait.
   * @returns where the folder is now, and the objects that its clones share
   */
  async function moveAway(path: string): Promise<string[]> {
    await rm(path + READY, { force: true });
    await forgetUsage(path);
    const moved = [];
    for (const each of [path, objectsOf(path)]) {
      const away = `${each}${REMOVED}${newUid()}`;
      const isMoved = await rename(each, away).then(
        () => true,
        () => false,
      );
      if (isMoved) moved.push(away);
    }
    return moved;
  }

  /** What was begun and not finished is no workspace. */
  async function startAnew(path: string, hasObjects: boolean): Promise<void> {
    if (!hasObjects && (await readdir(path)).length === 0) return;
    for (const away of await moveAway(path)) await removeTree(away);
    await mkdir(path, { mode: 0o700 });
  }

  return {
    folder,
    async take(runId, anew) {
      while (removals.has(runId)) await removals.get(runId);
      taken.add(runId);
      try {
        const path = join(folder, runId);
        const [isNew, hasObjects] = await Promise.all([makeFolder(path), exists(objectsOf(path))]);
        const isPrepared = !isNew && !anew && (await exists(path + READY));
        if (!isPrepared && (hasObjects || !isNew)) await startAnew(path, hasObjects);
        return {
          path,
          isPrepared,
          markPrepared: () => writeFile(path + READY, "", { mode: 0o600 }),
          empty: () => startAnew(path, true),
          noteUsage: (usage) => noteUsage(path, usage),
          release: () => taken.delete(runId),
        };
      } catch (error) {
        taken.delete(runId);
        throw error;
      }
    },
    async list() {
      const names = await readdir(folder).catch(() => []);
      return [...new Set(names.map((name) => name.replace(/\.(ready|usage|objects)$/, "")))].filter(isUuid);
    },
    async remove(runId, signal) {
      if (taken.has(runId)) return false;
      const moving = moveAway(join(folder, runId));
      removals.set(
        runId,
        moving.then(() => {}),
      );
      const moved = await moving.finally(() => removals.delete(runId));
      for (const away of moved) await removeTree(away, signal);
      return true;
    },
    holds: (runId, name) => exists(join(folder, runId, name)),
    removeFrom: (runId, name) => removeOwn(join(folder, runId), name.split("/")),
    async removeRemains(signal) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((each) => each.includes(REMOVED))) {
        if (signal?.aborted) return;
        await removeTree(join(folder, name), signal);
      }
    },
  };
}

/** @returns whether there was nothing at its place */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    if (systemCode(error) !== "ENOENT") throw error;
    return (await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** What a workspace took of the disk when its last turn ended. */
export interface LeftUsage extends Usage {
  /** Whether its run was ended because it took too much. */
  isOver: boolean;
}

/** Beside the folder and not in it, where an agent could change it. */
export const USAGE = ".usage";

/** Notes it; its time says when the turn ended. */
async function noteUsage(path: string, usage: LeftUsage): Promise<void> {
  await writeFile(path + USAGE, JSON.stringify(usage), { mode: 0o600 });
}

async function forgetUsage(path: string): Promise<void> {
  await rm(path + USAGE, { force: true });
}

/** @returns nothing where none was noted: the server ended before the turn did, or was an older one */
export async function findUsage(path: string): Promise<(LeftUsage & { endedAtMs: number }) | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path + USAGE, "utf8"), stat(path + USAGE)]);
    return { ...JSON.parse(text), endedAtMs: mtimeMs };
  } catch {
    return undefined;
  }
}
