import { readFile, rm, stat, writeFile } from "node:fs/promises";
import type { Usage } from "../files/count-usage.ts";

/** What a workspace took of the disk when its last turn ended. */
export interface LeftUsage extends Usage {
  /** Whether its run was ended because it took too much. */
  isOver: boolean;
}

/** Beside the folder and not in it, where an agent could change it. */
export const USAGE = ".usage";

/** Notes it; its time says when the turn ended. */
export async function noteUsage(path: string, usage: LeftUsage): Promise<void> {
  await writeFile(path + USAGE, JSON.stringify(usage), { mode: 0o600 });
}

export async function forgetUsage(path: string): Promise<void> {
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
