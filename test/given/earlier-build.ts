import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { STEPS } from "../../src/store/schema/steps.ts";
import { temporaryFolder } from "./folder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Builds the program as it was before the last migration was added, or at the commit in MILLRACE_UPGRADE_FROM, with the packages
 * that are installed now.
 * @returns what is started
 */
export function earlierBuild(): string {
  const folder = temporaryFolder("millrace-earlier");
  const archive = join(folder, "source.tar");
  run("git", ["archive", `--output=${archive}`, earlierCommit()]);
  run("tar", ["-xf", archive], folder);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const dist = join(folder, "dist");
  for (const script of ["emit.mjs", "bundle.mjs"])
    run(process.execPath, [join("scripts", script), dist], folder);
  return join(dist, "main.js");
}

function earlierCommit(): string {
  const named = process.env.MILLRACE_UPGRADE_FROM;
  if (named) return named;
  const last = STEPS.at(-1)?.name;
  const added = run("git", ["log", `-Sname: "${last}"`, "--format=%H", "--", "src/store"]);
  // Nobody has committed it yet.
  if (added === "") return "HEAD";
  const before = `${added.split("\n").at(-1)}^`;
  const { status } = spawnSync("git", ["rev-parse", "--quiet", "--verify", before], { cwd: ROOT });
  if (status === 0) return before;
  throw new Error(
    `This clone has no commit from before the migration ${last}. Run \`git fetch --unshallow\`, or name a commit in MILLRACE_UPGRADE_FROM.`,
  );
}

function run(command: string, args: string[], cwd = ROOT): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status === 0) return stdout.trim();
  throw new Error(
    `\`${command} ${args.join(" ")}\` failed, which builds an earlier version: ${error?.message ?? stderr}`,
  );
}
