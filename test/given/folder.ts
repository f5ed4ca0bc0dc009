import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onFinished } from "./cleanup.ts";

/** Files by path, as a test writes them down. */
export type Files = Record<string, string | Buffer>;

/** A new folder that is gone when the test has finished. */
export function temporaryFolder(name = "millrace-test"): string {
  const path = mkdtempSync(join(tmpdir(), `${name}-`));
  onFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 20 }));
  return path;
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
