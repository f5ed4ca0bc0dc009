import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, link, mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage, systemCode } from "../../errors/error.ts";
import { localGitEnvironment } from "../git-environment.ts";
import { type GitLimits, openGit } from "../open-git.ts";
import { SourceError } from "../revision.ts";

/**
 * Sees to it that there is a bare repository at a path, into which can be fetched from a remote: with hashes as long as those of
 * the remote, which differ between SHA-1 and SHA-256.
 * @returns whether it was not there before
 */
export async function createMirror(
  path: string,
  url: string,
  environment: Record<string, string>,
  limits: GitLimits,
): Promise<boolean> {
  if (await stat(join(path, "HEAD")).catch(() => undefined)) return false;
  await mkdir(path, { recursive: true, mode: 0o700 });
  const git = openGit(path, environment, limits);
  const refs = await git.raw(["ls-remote", "--", url, "HEAD", "refs/heads/*"]);
  const format = /^[0-9a-f]{64}\t/m.test(refs) ? "sha256" : "sha1";
  await git.raw(["init", "--quiet", "--bare", `--object-format=${format}`]);
  return true;
}

/** What git says, at the start of a line, of a repository that a crash left half-written. */
const DAMAGE: readonly RegExp[] = [
  /^(fatal|error): (.*: )?Unable to create '.*\.lock': File exists/im,
  /^(fatal|error): (loose |packed )?object (file )?\S+ (\(stored in .*\) )?is (empty|corrupt)/im,
  /^(fatal|error): (bad object|bad tree object|unable to read (sha1 file|tree)|invalid sha1 pointer) /im,
  /^(fatal|error): (inflate: data stream error|unable to unpack \S+ header|packfile .* (is far too short|does not match))/im,
  /^fatal: not a git repository: '/im,
  // The remote was replaced by one with hashes of another length.
  /^fatal: mismatched algorithms: client /im,
];

/** Whether a failure says that the mirror is damaged. What we say ourselves of a remote is no word about the mirror. */
export function isMirrorDamage(thrown: unknown): boolean {
  if (thrown instanceof SourceError) return false;
  const said = errorMessage(thrown);
  return DAMAGE.some((phrase) => phrase.test(said));
}

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
