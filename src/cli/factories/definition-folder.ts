import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { MillraceError } from "../../errors/error.ts";
import { readFolder } from "../../git/folder.ts";
import type { Tree } from "../../git/revision.ts";

/**
 * Reads the folder that a command was given.
 * @param command as it is called, for whoever named a file
 * @throws MillraceError `invalid_request` when it is no folder, SourceError when it cannot be read
 */
export async function readDefinitionFolder(dir: string, command: string): Promise<Tree> {
  const root = resolve(dir);
  const found = statSync(root, { throwIfNoEntry: false });
  if (!found) {
    throw new MillraceError("invalid_request", `The folder ${dir} does not exist.`, {
      remedy: "Specify the folder that contains factory.yaml.",
    });
  }
  if (found.isFile()) {
    throw new MillraceError("invalid_request", `${dir} is a file, but a definition is a folder.`, {
      remedy: `Specify the folder: \`${command} ${dirname(dir)}\`.`,
    });
  }
  return readFolder(root);
}
