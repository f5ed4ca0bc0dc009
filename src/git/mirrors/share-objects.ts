import { chmod, link, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCode } from "../../errors/error.ts";

/** What of a mirror's objects git reads, and never changes once it is there. */
const SHARED = /^(pack\/pack-[0-9a-f]+\.(?!keep$)\w+|[0-9a-f]{2}\/[0-9a-f]{38,62}|info\/commit-graph)$/;

/** What a file system says that has no hard links here, or no more of them, or not to another volume. */
const NO_LINKS = new Set(["EXDEV", "EMLINK", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/**
 * Gives the objects of a mirror second names in a folder, from which a clone can read them. Whatever becomes of the mirror,
 * a forced push, `git gc`, its removal, the objects stay for as long as they have these names.
 * @param folder is not there yet
 * @returns false, with nothing there, where the file system cannot do it
 */
export async function shareObjects(mirror: string, folder: string): Promise<boolean> {
  const objects = join(mirror, "objects");
  const paths = await readdir(objects, { recursive: true });
  try {
    await makeReadable(folder);
    for (const path of paths.filter((each) => SHARED.test(each))) {
      await makeReadable(dirname(join(folder, path)));
      await link(join(objects, path), join(folder, path));
      await letRead(join(folder, path), 0o444);
    }
    return true;
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error) ?? "")) throw error;
    await rm(folder, { recursive: true, force: true });
    return false;
  }
}

/** Lets a clone read objects from a folder beside its own, as git-clone's `--shared` does from a repository. */
export async function readObjectsFrom(folder: string, clone: string): Promise<void> {
  const info = join(clone, ".git", "objects", "info");
  await mkdir(info, { recursive: true });
  await writeFile(join(info, "alternates"), `${folder}\n`);
}

/** The folder above is opened to the run's user alone. */
async function makeReadable(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true });
  if (made !== undefined) await letRead(folder, 0o755);
}

/** The server makes everything for its own user alone, and agents may have another one. */
async function letRead(path: string, mode: number): Promise<void> {
  if (((await stat(path)).mode & 0o777) !== mode) await chmod(path, mode);
}
