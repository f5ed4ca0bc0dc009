import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { emptyIfMissing } from "../../errors/error.ts";
import { REPOSITORIES } from "./contents.ts";

/** What git has to know of a repository to read it, by section and key. All else can name programs, folders and hosts. */
const NEEDED = new Set([
  "core.repositoryformatversion",
  "core.bare",
  "core.filemode",
  "extensions.objectformat",
]);

/**
 * Makes repositories that were unpacked such as millrace makes them: with no settings of their own, and with no objects
 * elsewhere. A backup comes from wherever it was kept, and git would start what the settings of a repository name.
 */
export async function makeRepositoriesPlain(folder: string): Promise<void> {
  for (const name of await readdir(join(folder, REPOSITORIES)).catch(emptyIfMissing)) {
    const repository = join(folder, REPOSITORIES, name);
    const config = join(repository, "config");
    await writeFile(config, plainConfig(await readFile(config, "utf8")));
    for (const elsewhere of ["alternates", "http-alternates"])
      await rm(join(repository, "objects", "info", elsewhere), { force: true });
  }
}

/** The lines of git's settings that are needed, each written as `git init` writes it. */
function plainConfig(text: string): string {
  const kept: string[] = [];
  let section = "";
  let written = "";
  for (const line of text.split("\n")) {
    if (line.trimStart().startsWith("[")) section = /^\[(\w+)\]$/.exec(line.trim())?.[1]?.toLowerCase() ?? "";
    const [, key = "", value = ""] = /^\s*(\w+)\s*=\s*(\w+)\s*$/.exec(line) ?? [];
    if (!NEEDED.has(`${section}.${key.toLowerCase()}`)) continue;
    if (section !== written) kept.push(`[${section}]`);
    written = section;
    kept.push(`\t${key} = ${value}`);
  }
  return `${kept.join("\n")}\n`;
}
