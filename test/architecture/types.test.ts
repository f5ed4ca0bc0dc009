import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The linter refuses `any`; a comment would let it through. */
test.each(["src/api", "dashboard/src"])("%s has no value that may be anything", (folder) => {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
  expect(files.length).toBeGreaterThan(50);
  const loose = files.filter((file) => readFileSync(join(ROOT, file), "utf8").includes("noExplicitAny"));
  expect(loose).toEqual([]);
});
