import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../given/folder.ts";

const {
  findPostgresPrograms,
  linkLibraries,
  postgresVersion,
}: {
  findPostgresPrograms(): string | undefined;
  linkLibraries(folder: string): void;
  postgresVersion(folder: string): string;
} = createRequire(import.meta.url)("../../scripts/postgres-programs.cjs");

test("the PostgreSQL that is found runs, and its version is known", () => {
  expect(postgresVersion(findPostgresPrograms() ?? "")).toMatch(/^PostgreSQL \d+\.\d+/);
});

test("libraries of a package are linked once, by the names that its programs look for", () => {
  const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];
  const folder = folderWith({
    "native/pg-symlinks.json": JSON.stringify(links),
    "native/lib/libpq.so.5.18": "a library",
  });
  linkLibraries(folder);
  linkLibraries(folder);
  expect(readFileSync(join(folder, "native/lib/libpq.so.5"), "utf8")).toBe("a library");
});
