import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Files, temporaryFolder } from "./folder.ts";
import { type ObjectFormat, type Repository, repositoryAt } from "./repository.ts";

/** A folder with bare repositories in it, as a forge has them: `owner/name.git`. */
export interface TestForge {
  /** The folder. */
  path: string;
  /** What a server takes as the base URL. */
  baseUrl: string;
  /** Makes a repository whose first commit holds these files. */
  repository(name: string, files?: Files, format?: ObjectFormat): Repository;
  /** A millrace.yaml that names it. */
  settings: string;
}

export function aForge(): TestForge {
  const path = temporaryFolder("millrace-forge");
  const baseUrl = `file://${path}`;
  return {
    path,
    baseUrl,
    settings: `forges: { home: { baseUrl: "${baseUrl}" } }\n`,
    repository(name, files = { "README.md": `This is ${name}.\n` }, format) {
      const url = join(path, `${name}.git`);
      mkdirSync(dirname(url), { recursive: true });
      const repository = repositoryAt(url, format);
      repository.push(files, { message: "Begin" });
      return repository;
    },
  };
}
