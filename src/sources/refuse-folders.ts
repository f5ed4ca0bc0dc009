import type { Config } from "../config/config.ts";
import { postgresUrl } from "../config/database-url.ts";
import { MillraceError } from "../errors/error.ts";
import { locateSource } from "../git/source-location.ts";

/**
 * Other servers of a database of PostgreSQL do not have this machine's folders, and would serve something else.
 * @param named the sources of the command line, which count instead of those of the settings
 * @throws MillraceError `invalid_request` that names the folder
 */
export function refuseFolders(
  named: readonly string[],
  { databaseUrl, factories }: Pick<Config, "databaseUrl" | "factories">,
): void {
  if (postgresUrl(databaseUrl) === undefined) return;
  const ofSettings = factories.flatMap((setting) => ("source" in setting ? setting.source : []));
  const sources = named.length > 0 ? named : ofSettings;
  const folder = sources.find((source) => locateSource(source).kind === "folder");
  if (folder === undefined) return;
  throw new MillraceError(
    "invalid_request",
    `The source ${folder} is a folder, and MILLRACE_DATABASE_URL names a PostgreSQL database, which several servers can share: the other servers do not have this folder.`,
    {
      remedy: `Commit the definition to a repository, and name its URL, or \`git:${folder}\`. Without MILLRACE_DATABASE_URL, the folder can be served.`,
    },
  );
}
