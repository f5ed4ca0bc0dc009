import { dirname, join } from "node:path";
import type { Config } from "../../config/config.ts";
import { isCommittable } from "../../git/work-tree.ts";
import { fileDatabaseIn } from "../open-server-database.ts";
import { type DoctorFinding, ok, warning } from "./finding.ts";

/** Whether `git add .` would take what only this server should have: keys, and the database with all payloads. */
export async function examineWorkTree(
  config: Pick<Config, "dataDir" | "databaseUrl" | "masterKeyFile">,
): Promise<DoctorFinding[]> {
  const check = "work tree";
  const paths = [config.masterKeyFile ?? join(config.dataDir, "master.key"), fileDatabaseIn(config)];
  const findings: DoctorFinding[] = [];
  for (const path of paths) {
    if (!(await isCommittable(path))) continue;
    const message = `${path} is in a git work tree and is not ignored: \`git add .\` would add it, or it is already tracked.`;
    const remedy = `Add a line \`*\` to ${dirname(path)}/.gitignore and run \`git rm -r --cached ${dirname(path)}\`, or specify a folder elsewhere with --data-dir. Replace every key that was pushed.`;
    findings.push(warning(check, message, remedy));
  }
  return findings.length > 0
    ? findings
    : [ok(check, "the data folder is ignored by git, or is not in a work tree")];
}
