import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Writes a file of millrace's own into a workspace in which an agent may have been: a link that lies in the way is
 * replaced and never followed, which would write wherever it leads.
 */
export async function writeOwnFile(
  workspace: string,
  path: readonly string[],
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const folder = await ownFolder(workspace, path.slice(0, -1));
  const file = join(folder, path.at(-1) ?? "");
  await rm(file, { recursive: true, force: true });
  // Makes the file, and fails if there is something after all.
  await writeFile(file, content, { mode, flag: "wx" });
}

/** Sees to it that there is a real folder at a path. @returns its path */
export async function ownFolder(workspace: string, path: readonly string[]): Promise<string> {
  let folder = workspace;
  for (const name of path) {
    folder = join(folder, name);
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory()) continue;
    if (found) await rm(folder, { force: true });
    await mkdir(folder, { mode: 0o700 });
  }
  return folder;
}
