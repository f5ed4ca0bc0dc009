import { chmod, copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import sea from "node:sea";
import { assetPath } from "../../platform/assets.ts";
import type { Folders } from "./sandbox.ts";

/** The name under which agents find it on their PATH. */
const NAME = "millrace";
/** What the launcher starts: the commands for agents alone, in one file. */
const PROGRAM = "millrace.cjs";
const BUILT = "dist/agent/millrace.cjs";

/**
 * Puts the command that agents use into a folder of its own: a launcher and one file, which nobody but the server's user
 * may change, and everybody may read. It lies with the workspaces, the one place of the data folder that other users can
 * pass to.
 *
 * Whatever an earlier server has left there is replaced, file by file, so that the programs of runs never see a part.
 * @returns the folder, for the PATH of agents
 */
export async function installAgentCommand({ workspaces }: Pick<Folders, "workspaces">): Promise<string> {
  const folder = join(workspaces, ".bin");
  // A link or a file that was put there instead.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  if (!sea.isSea()) await copyFile(assetPath(BUILT), join(folder, PROGRAM));
  await writeFile(join(folder, NAME), launcher(), { flag: "wx" });
  // The server's umask lets nobody else read what it makes.
  if (!sea.isSea()) await chmod(join(folder, PROGRAM), 0o444);
  await chmod(join(folder, NAME), 0o555);
  await chmod(folder, 0o755);
  return folder;
}

/** The Node that serves runs it, or another one where the program's user cannot reach that. A binary runs itself. */
function launcher(): string {
  const own = quoted(process.execPath);
  if (sea.isSea()) return `#!/bin/sh\nexec ${own} "$@"\n`;
  return `#!/bin/sh
node=${own}
[ -x "$node" ] || node=node
exec "$node" "\${0%/*}/${PROGRAM}" "$@"
`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A PATH on which the command of agents comes first. */
export const withCommand = (folder: readonly string[], path: string): string =>
  [...folder, path].filter(Boolean).join(delimiter);
