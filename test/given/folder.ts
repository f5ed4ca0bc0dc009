import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onFinished } from "./cleanup.ts";

/** Files by path, as a test writes them down. */
export type Files = Record<string, string | Buffer>;

/** A new folder that is gone when the test has finished. */
export function temporaryFolder(name = "millrace-test"): string {
  const path = mkdtempSync(join(tmpdir(), `${name}-`));
  onFinished(() => removeFolder(path));
  return path;
}

/**
 * What a server that was killed has started may still write for a moment. Node's own retries remove only the folder itself, and
 * not what has come into it since.
 */
async function removeFolder(path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(50);
    }
  }
}

/** A new folder with these files in it. */
export function folderWith(files: Files): string {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  return folder;
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/**
 * What a server is started with so that a folder is a small file system of its own, seen by that server alone and gone with it.
 * @param inodes how many files fit
 */
export function withSmallVolume(folder: string, megabytes: number, inodes = 100_000): string[] {
  const own = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const mount = `mount -t tmpfs -o size=${megabytes}m,nr_inodes=${inodes},mode=755 tmpfs '${folder}' && exec "$@"`;
  return ["unshare", ...own, "--mount", "sh", "-c", mount, "sh"];
}

/** As much as one file of a definition may hold. */
const MAX_FILE_BYTES = 256 * 1024;

/** YAML that takes long to read: each value of it is three characters. */
export function costlyYaml(key = "secretName"): string {
  const start = `${key}: [`;
  return `${start}${"{},".repeat((MAX_FILE_BYTES - start.length - 2) / 3)}]\n`;
}

/** A tree of such files. */
export function costlyFiles(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`webhooks/w${n}.yaml`, costlyYaml()]));
}
