import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../errors/error.ts";

/** Keeps everything in the folder, itself included, out of `git add .`. */
const IGNORE_ALL = "*\n";

/**
 * Makes a folder for this user alone, whose files git ignores from the first moment on: it will hold keys, and may lie in
 * a work tree. One that exists keeps its owner and its mode, which someone has chosen.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(path, ".gitignore"), IGNORE_ALL, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}
