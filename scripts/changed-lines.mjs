// The lines of the working tree that a change has brought, for checks that the rest of the code does not pass yet.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a change may have started. A clone of another branch, or of one commit alone, may have neither. */
const MAIN = ["main", "origin/main"];
const DIFF = ["diff", "--unified=0", "--find-renames", "--no-color", "--no-ext-diff", "--no-prefix"];

/**
 * The numbers of the new lines by file, committed or not. A line that only moved, in its file or between files, is not new.
 * @param {string} root of a working tree
 * @param {string[]} paths pathspecs of git
 * @returns {Map<string, Set<number>>}
 */
export function changedLines(root, paths) {
  const git = (...args) =>
    execFileSync("git", ["-c", "core.quotePath=false", ...args], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: "pipe",
    });
  const commitOf = (...args) => {
    try {
      return git(...args).trim();
    } catch {
      return undefined;
    }
  };
  const head = commitOf("rev-parse", "HEAD");
  const shared = MAIN.map((branch) => commitOf("merge-base", "HEAD", branch)).find(Boolean);
  // On main itself, what its newest commit has changed.
  const base = shared === head ? undefined : shared;
  const { added, removed } = readDiff(
    git(...DIFF, base ?? commitOf("rev-parse", "--verify", "HEAD~") ?? head, "--", ...paths),
  );
  const untracked = git("ls-files", "--others", "--exclude-standard", "--", ...paths).split("\n");
  for (const path of untracked.filter((each) => each !== "")) {
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    added.push(...lines.map((text, index) => ({ path, line: index + 1, text })));
  }

  const changed = new Map();
  for (const { path, line, text } of added) {
    if (removed.has(text.trim())) continue;
    changed.set(path, (changed.get(path) ?? new Set()).add(line));
  }
  return changed;
}

function readDiff(diff) {
  const added = [];
  const removed = new Set();
  let path = "";
  let line = 0;
  // What is left of a hunk: its lines may look like the head of a file.
  let [minus, plus] = [0, 0];
  for (const text of diff.split("\n")) {
    const [, before = "1", start, after = "1"] =
      (minus + plus === 0 && /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text)) || [];
    if (start !== undefined) [minus, plus, line] = [Number(before), Number(after), Number(start)];
    else if (minus > 0 && text.startsWith("-")) {
      minus -= 1;
      removed.add(text.slice(1).trim());
    } else if (plus > 0 && text.startsWith("+")) {
      plus -= 1;
      added.push({ path, line, text: text.slice(1) });
      line += 1;
    } else if (text.startsWith("+++ ")) path = text.slice(4).replace(/\t$/, "");
  }
  return { added, removed };
}
