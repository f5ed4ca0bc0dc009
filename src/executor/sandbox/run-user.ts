import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FileWorker } from "../files/file-worker.ts";
import { letReadObjects } from "../workspace/shared-objects.ts";

/** Whom the programs of a run run as. */
export interface RunUser {
  uid: number;
  gid: number;
}

/** Numbers of users that belong to no one, of which each run has one. */
export interface UserRange {
  first: number;
  count: number;
}

/**
 * Numbers that no distribution and no container engine hands out (https://systemd.io/UIDS-GIDS); and fewer of them for
 * a server that is itself in a container, where the numbers often end at 65535.
 */
const RANGES: readonly UserRange[] = [
  { first: 1_879_048_192, count: 2 ** 28 - 2 },
  { first: 40_000, count: 20_000 },
];

/** Where the users of runs come from; nothing when the server may not be anybody else than it is. */
export async function findUserRange(): Promise<UserRange | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const maps = await Promise.all(
    ["uid_map", "gid_map"].map((name) => readFile(`/proc/self/${name}`, "utf8")),
  );
  return rangeWithin(maps);
}

/** Whether this process is root in a user namespace alone: a program outside knows the users that are made here by other numbers. */
export async function isRootHereOnly(): Promise<boolean> {
  return process.getuid?.() === 0 && !isTrueRoot(await readFile("/proc/self/uid_map", "utf8"));
}

/** Whether root of a namespace is root outside of it, given its map as the kernel prints it. */
export function isTrueRoot(map: string): boolean {
  return /^\s*0\s+0\s/.test(map);
}

/** The range that namespaces know all numbers of, given their maps as the kernel prints them. */
export function rangeWithin(maps: readonly string[]): UserRange | undefined {
  return RANGES.find((range) => maps.every((map) => isMapped(map, range)));
}

/** Whether a namespace knows all numbers of a range. Lines of the map: first number inside, outside, how many. */
function isMapped(map: string, { first, count }: UserRange): boolean {
  return map
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .some(([inside = 0, , size = 0]) => inside <= first && first + count <= inside + size);
}

/** The user of a run: the same at each of its turns, and after a crash, with nothing to remember. */
export function runUser(runId: string, { first, count }: UserRange): RunUser {
  const id = first + (createHash("sha256").update(runId).digest().readUIntBE(0, 6) % count);
  return { uid: id, gid: id };
}

/** Gives a workspace and all in it to a user, however much it is: another process does it. What its clones share is read only. */
export async function chownWorkspace(
  files: Pick<FileWorker, "run">,
  folder: string,
  { uid, gid }: RunUser,
): Promise<void> {
  await files.run("chownWorkspace", { folder, uid, gid });
  await letReadObjects(folder, gid);
}
