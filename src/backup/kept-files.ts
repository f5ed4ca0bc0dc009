import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { nothingThere } from "../error.ts";
import { ARTIFACTS, REPOSITORIES } from "./contents.ts";

/** What of a data folder goes into a backup beside the databases, as paths in it. */
type Find = (dataDir: string) => Promise<string[]>;

export const findArtifacts: Find = async (dataDir) =>
  existsSync(join(dataDir, ARTIFACTS)) ? [ARTIFACTS] : [];

/**
 * What names the commits of repositories. It is read before their objects are looked for: an edit that comes meanwhile
 * adds objects that nothing names, where the other order would name some that are not there.
 */
export const findReferences: Find = (dataDir) =>
  inRepositories(dataDir, ["HEAD", "config", "packed-refs", "refs"]);

export const findObjects: Find = (dataDir) => inRepositories(dataDir, ["objects"]);

async function inRepositories(dataDir: string, names: readonly string[]): Promise<string[]> {
  const repositories = await readdir(join(dataDir, REPOSITORIES)).catch(nothingThere);
  return repositories
    .flatMap((repository) => names.map((name) => join(REPOSITORIES, repository, name)))
    .filter((path) => existsSync(join(dataDir, path)));
}
