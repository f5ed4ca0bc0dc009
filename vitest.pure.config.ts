import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig } from "vitest/config";
import { everyTest } from "./vitest.config.ts";

/** What a test of rules and pure functions does not import, and none of its builders in test/ does: servers, stores, git, processes. */
const IMPURE =
  /^(?:test\/given\/server\.ts|src\/(?:store|git|runs\/sandbox|runs\/execution)\/.*|node:(?:child_process|http|net|tls|worker_threads))$/;

const found = new Map<string, boolean>();

function isPure(file: string): boolean {
  const known = found.get(file);
  if (known !== undefined) return known;
  found.set(file, true);
  const isSo = importsOf(file).every(
    (path) => !IMPURE.test(path) && (!path.startsWith("test/") || !existsSync(path) || isPure(path)),
  );
  found.set(file, isSo);
  return isSo;
}

/** What a file imports when it runs: paths from the root, and names of packages. */
function importsOf(file: string): string[] {
  const found = readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\s+(?!type\s)[^;]*?from\s+"([^"]+)";/gms,
  );
  return [...found].map(([, name = ""]) => (name.startsWith(".") ? join(dirname(file), name) : name));
}

const tests = readdirSync("test", { recursive: true, encoding: "utf8" }).map((name) => join("test", name));

/** `npm run test:pure`: the tests of `npm test` that are about rules and pure functions alone. They are quick enough for each save. */
export default defineConfig({
  test: { ...everyTest, include: tests.filter((name) => name.endsWith(".test.ts") && isPure(name)) },
});
