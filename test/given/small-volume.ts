/**
 * What a server is started with so that a folder is a small file system of its own, seen by that server alone and gone with it.
 * @param inodes how many files fit
 */
export function withSmallVolume(folder: string, megabytes: number, inodes = 100_000): string[] {
  const own = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const mount = `mount -t tmpfs -o size=${megabytes}m,nr_inodes=${inodes},mode=755 tmpfs '${folder}' && exec "$@"`;
  return ["unshare", ...own, "--mount", "sh", "-c", mount, "sh"];
}
