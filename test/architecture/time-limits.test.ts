import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SRC = fileURLToPath(new URL("../../src/", import.meta.url));

test("no code gives a timeout to AbortSignal.any, which forgets it: timeLimit() is there for that", () => {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const forgetful = files.filter((file) =>
    /AbortSignal\.any\([^)]*AbortSignal\.timeout/.test(readFileSync(join(SRC, file), "utf8")),
  );
  expect(forgetful).toEqual([]);
});
