import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isUid, newUid } from "../../id.ts";

const FILE = "worker-id";

/**
 * The id of a worker's data folder: a later turn of a run goes to the process that has the folder with its workspace, also after
 * a restart. Called while the folder is locked.
 */
export async function dataFolderId(folder: string): Promise<string> {
  const path = join(folder, FILE);
  const known = await readFile(path, "utf8").catch(() => "");
  if (isUid(known.trim())) return known.trim();
  const id = newUid();
  const fresh = `${path}.new`;
  await writeFile(fresh, `${id}\n`, { mode: 0o600 });
  await rename(fresh, path);
  return id;
}
