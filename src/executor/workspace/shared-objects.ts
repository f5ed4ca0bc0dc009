import { existsSync } from "node:fs";
import { chmod, chown, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { emptyIfMissing } from "../../errors/error.ts";

/** Beside the folder and not in it, where an agent could change them, and where they would count as the run's. */
const OBJECTS = ".objects";
const BLOCK_BYTES = 512;

/** Where the clones of a workspace find the objects that they share with mirrors. */
export function objectsOf(workspace: string): string {
  return workspace + OBJECTS;
}

/** Whether there are any. */
export function hasObjects(workspace: string): boolean {
  return existsSync(objectsOf(workspace));
}

/** Lets the user of a run read them, and no one else but the server's. */
export async function letReadObjects(workspace: string, gid: number): Promise<void> {
  try {
    await chown(objectsOf(workspace), 0, gid);
    await chmod(objectsOf(workspace), 0o750);
  } catch (error) {
    emptyIfMissing(error);
  }
}

/** What a folder of objects has that neither a mirror nor another workspace has, in bytes: its removal frees them. */
export async function bytesOnlyIn(objects: string): Promise<number> {
  let bytes = 0;
  for (const path of await readdir(objects, { recursive: true }).catch(emptyIfMissing)) {
    // It may be removed in the meantime.
    const [found] = await lstat(join(objects, path)).then((stat) => [stat], emptyIfMissing);
    if (found?.isFile() && found.nlink === 1) bytes += found.blocks * BLOCK_BYTES;
  }
  return bytes;
}
