import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { localGitEnvironment } from "../git-environment.ts";
import { shareObjects } from "./share-objects.ts";

/** The refs of a mirror, by the names that the remote has for them. What a mirror stores aside is a ref of the remote, too. */
const REFS: readonly (readonly string[])[] = [
  ["--format=%(objectname) %(refname)", "refs/heads/", "refs/tags/"],
  ["--format=%(objectname) refs/%(refname:lstrip=2)", "refs/millrace/"],
];

/**
 * Makes a bare repository that has what a mirror has now, by the names of the remote, and that does not change with it:
 * whoever reads from it slowly holds up no fetch into the mirror.
 * @param into is not there yet, and is on the volume of the mirror, so that it costs no space
 */
export async function snapshotMirror(path: string, into: string, signal: AbortSignal): Promise<void> {
  await mkdir(join(into, "refs"), { recursive: true, mode: 0o700 });
  for (const name of ["HEAD", "config"]) await copyFile(join(path, name), join(into, name));
  await writeRefs(path, join(into, "packed-refs"), signal);
  const objects = join(into, "objects");
  if (await shareObjects(path, objects)) return;
  // Without hard links, its objects are those of the mirror, and last as long as these.
  await mkdir(join(objects, "info"), { recursive: true });
  await writeFile(join(objects, "info", "alternates"), `${join(path, "objects")}\n`);
}

/** Git writes them into the file itself: there may be a million. Which ones it sorts when it reads them. */
async function writeRefs(path: string, file: string, signal: AbortSignal): Promise<void> {
  const environment = { ...localGitEnvironment(), GIT_DIR: path };
  const refs = await open(file, "wx", 0o600);
  try {
    for (const chosen of REFS) {
      const git = spawn("git", ["for-each-ref", ...chosen], {
        env: environment,
        stdio: ["ignore", refs.fd, "ignore"],
        signal,
      });
      const [code] = await once(git, "close");
      if (code !== 0) throw new Error(`git for-each-ref exited with code ${code}`);
    }
  } finally {
    await refs.close();
  }
}
