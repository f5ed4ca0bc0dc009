import { join } from "node:path";
import { type Files, temporaryFolder, writeFiles } from "./folder.ts";
import { POSTGRES_URL } from "./postgres.ts";
import { repositoryAt } from "./repository.ts";
import type { ServerOptions } from "./server.ts";

/**
 * The source of a server: a folder with these files. It is a repository for a server that has a process of its own and PostgreSQL,
 * because the program then refuses folders.
 * @param name what it is called
 */
export function sourceFor(
  files: Files,
  { sharesProcess = true }: Pick<ServerOptions, "sharesProcess">,
  name = "source",
): string {
  const path = join(temporaryFolder(), name);
  if (sharesProcess || POSTGRES_URL === undefined) writeFiles(path, files);
  else repositoryAt(path).push(files);
  return path;
}
