import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../errors/error.ts";
import { newUid } from "../id.ts";
import { SourceError } from "./revision.ts";

/**
 * Sees to it that a file that git processes use is in a folder. It comes into its place whole, and only when it is not
 * there yet: a git that asks for another factory may be reading it.
 * @returns its path
 * @throws SourceError when it cannot be written there
 */
export async function installFile(
  folder: string,
  name: string,
  content: string,
  mode: number,
): Promise<string> {
  const path = join(folder, name);
  if ((await readFile(path, "utf8").catch(() => undefined)) === content) return path;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = `${path}-${newUid()}`;
    await writeFile(draft, content, { mode });
    await chmod(draft, mode);
    await rename(draft, path);
    return path;
  } catch (error) {
    throw new SourceError(
      "GIT_UNREACHABLE",
      `The folder ${folder}, which contains the mirrors of repositories, cannot be written: ${errorMessage(error)}. ` +
        "Give the server's user write access to it, and check that the disk is not full.",
    );
  }
}
