import { existsSync } from "node:fs";
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { emptyIfMissing } from "../../errors/error.ts";
import { ARTIFACTS, REPOSITORIES } from "./contents.ts";

/** What of a data folder goes into a backup beside the databases, as paths in it. */
type Find = (dataDir: string) => Promise<string[]>;

export const findArtifacts: Find = async (dataDir) =>
  existsSync(join(dataDir, ARTIFACTS)) ? [ARTIFACTS] : [];

export const findObjects: Find = async (dataDir) =>
  (await repositoriesIn(dataDir))
    .map((repository) => join(REPOSITORIES, repository, "objects"))
    .filter((path) => existsSync(join(dataDir, path)));

/** What says where the branches of a repository are, and what it is. */
export const REFERENCES = ["HEAD", "config", "packed-refs", "refs"];

/**
 * Copies what names the commits of repositories, of each that was not copied before. A lock in it belongs to a git that
 * runs, and would keep every other from the copy.
 */
export async function copyReferences(dataDir: string, folder: string): Promise<void> {
  for (const repository of await repositoriesIn(dataDir)) {
    const copy = join(folder, REPOSITORIES, repository);
    if (existsSync(copy)) continue;
    try {
      for (const name of REFERENCES) {
        const path = join(dataDir, REPOSITORIES, repository, name);
        const filter = (from: string) => !from.endsWith(".lock");
        if (existsSync(path)) await cp(path, join(copy, name), { recursive: true, filter });
      }
    } catch (error) {
      await rm(copy, { recursive: true, force: true });
      throw error;
    }
  }
}

/** One that is not whole yet, or never became so, is called something else. */
async function repositoriesIn(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, REPOSITORIES)).catch(emptyIfMissing);
  return names.filter((name) => name.endsWith(".git"));
}
