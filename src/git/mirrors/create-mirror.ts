import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type GitLimits, openGit } from "../open-git.ts";

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
