import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The credential with which an engine pulls the image of one turn. */
export interface RegistryAuth {
  /** The folder with the file, for `RunProgram.registryAuth`. */
  folder: string;
  /** Removes the file. */
  remove(): Promise<void>;
}

/** The name that docker looks for in a folder of its settings. */
export const AUTH_FILE = "config.json";

/**
 * Writes the credential that a runner names into a file of its own, for this user alone, which is how engines take one
 * that shall stand in no argument and no variable.
 * @param folder where the files of all turns are
 */
export async function writeRegistryAuth(
  auths: Record<string, unknown>,
  { folder, runId }: { folder: string; runId: string },
): Promise<RegistryAuth> {
  const own = join(folder, runId);
  const remove = () => rm(own, { recursive: true, force: true });
  try {
    await mkdir(own, { recursive: true, mode: 0o700 });
    await writeFile(join(own, AUTH_FILE), JSON.stringify({ auths }), { mode: 0o600 });
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder: own, remove };
}

/** Removes what a server left that was ended in the middle of a turn. */
export async function removeRegistryAuths(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
