import { dirname, join } from "node:path";
import type { Config } from "../config/config.ts";
import { isCommittable } from "../git/committable.ts";
import { databaseIn } from "../store/data-folder.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** Whether `git add .` would take what only this server should have: keys, and the database with all payloads. */
export async function examineWorkTree(
  config: Pick<Config, "dataDir" | "databaseUrl" | "masterKeyFile">,
): Promise<Finding[]> {
  const check = "work tree";
  const paths = [
    config.masterKeyFile ?? join(config.dataDir, "master.key"),
    databaseIn(config.dataDir, config.databaseUrl),
  ];
  const findings: Finding[] = [];
  for (const path of paths) {
    if (!(await isCommittable(path))) continue;
    const message = `${path} lies in a git work tree and is not ignored: \`git add .\` would commit it, or it is tracked already.`;
    const remedy = `Let ${dirname(path)}/.gitignore hold a line \`*\`, run \`git rm -r --cached ${dirname(path)}\`, or name a folder elsewhere with --data-dir. Replace every key that was pushed.`;
    findings.push(warning(check, message, remedy));
  }
  return findings.length > 0
    ? findings
    : [ok(check, "git ignores what the server keeps, or no work tree holds it")];
}
