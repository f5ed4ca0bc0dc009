import { join } from "node:path";
import { systemCode } from "../../errors/error.ts";
import { openFolder, openFolderBeneath } from "./open-beneath.ts";
import { isThere } from "./own-file.ts";
import { removeTree } from "./remove-tree.ts";

/**
 * Removes a thing from a workspace in which an agent may have been. What lies behind a link is not of the workspace, and
 * stays.
 */
export async function removeOwn(workspace: string, path: readonly string[]): Promise<void> {
  const [first = "", ...below] = path;
  const whole = join(workspace, first);
  if (below.length === 0) {
    if (await isThere(whole)) await removeTree(whole);
    return;
  }
  try {
    await removeBeneath(workspace, path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return;
    // An agent has made the folder such that nothing can be removed from it: then it goes with all that is in it.
    await removeTree(whole);
  }
}

async function removeBeneath(workspace: string, path: readonly string[]): Promise<void> {
  const name = path.at(-1) ?? "";
  const root = await openFolder(workspace);
  try {
    const folder = await openFolderBeneath(root, path.slice(0, -1));
    try {
      if (await isThere(folder.at(name))) await removeTree(`./${name}`, undefined, folder.path);
    } finally {
      await folder.close();
    }
  } finally {
    await root.close();
  }
}
