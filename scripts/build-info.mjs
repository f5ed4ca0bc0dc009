// What `millrace version --json` tells of a build.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);

/** The commit of the sources, and the time of the build; sources without a repository have no commit. */
export function buildInfo() {
  return { commit: commit(), built_at: new Date().toISOString() };
}

function commit() {
  if (process.env.COMMIT) return process.env.COMMIT;
  try {
    const git = (...args) => execFileSync("git", args, { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
    return git("rev-parse", "HEAD").toString().trim();
  } catch {
    return null;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(buildInfo()));
