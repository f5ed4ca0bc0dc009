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
