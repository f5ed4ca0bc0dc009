// Own file: which files count as lock files is a thought of its own.
import { createHash } from "node:crypto";
import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { walkTree } from "./walk-tree.ts";

export interface LockFilesOptions {
  folder: string;
}

/** Files in which package managers write which versions they install. */
const NAMES = new RegExp(
  [
    "^(package-lock\\.json|npm-shrinkwrap\\.json|yarn\\.lock|pnpm-lock\\.yaml|bun\\.lockb?|deno\\.lock",
    "|poetry\\.lock|uv\\.lock|pdm\\.lock|Pipfile\\.lock|requirements[\\w.-]*\\.txt|Cargo\\.lock|go\\.sum|go\\.work\\.sum",
    "|Gemfile\\.lock|composer\\.lock|mix\\.lock|pubspec\\.lock|Podfile\\.lock|gradle\\.lockfile|flake\\.lock)$",
  ].join(""),
);
const MAX_DEPTH = 8;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FOUND = 1_000;

/** Finds lock files, and hashes each. @returns hashes by path */
export function* findLockFiles({ folder }: LockFilesOptions): Generator<void, Record<string, string>> {
  const found: Record<string, string> = {};
  let count = 0;
  yield* walkTree(folder, {
    visit({ at, stat, depth, names }) {
      const parts = names();
      const name = parts.at(-1) ?? "";
      if (stat.isDirectory()) return depth < MAX_DEPTH && name !== ".git" && name !== "node_modules";
      if (!stat.isFile() || !NAMES.test(name) || stat.size > MAX_BYTES || count >= MAX_FOUND) return false;
      const fd = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const path = Buffer.from(parts.join("/"), "latin1").toString("utf8");
        found[path] = createHash("sha256").update(readFileSync(fd)).digest("hex");
        count += 1;
      } finally {
        closeSync(fd);
      }
      return false;
    },
  });
  return found;
}
