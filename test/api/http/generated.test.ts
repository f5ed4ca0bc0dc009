import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error a script without types
import { generated, generatedTypes } from "../../../scripts/generated.mjs";

/** The description of the API, which is not in git: a change of it changes this line too, so that a review shows it. */
const DIGEST = "71734379188257c23f3f34554256f99088efe79e159b08fe475d5fb61e6678b0";

test("what is made from the API's description is what the description makes, next to the sources", async () => {
  const files: { path: string; content: string }[] = [...(await generated()), ...(await generatedTypes())];
  expect(files.map(({ path }) => path).sort()).toEqual([
    "docs/reference/api.md",
    "docs/reference/commands.md",
    "docs/reference/definition-files.md",
    "docs/reference/settings.md",
    "docs/reference/worker-backend.md",
    "docs/reference/worker-protocol.md",
    "schemas/openapi.json",
    "schemas/v1alpha1.bundle.json",
    "src/api/http/query-defaults.ts",
    "src/client/api-types.ts",
  ]);
  for (const { path, content } of files) {
    expect(readFile(path) === content, `${path} is out of date: run \`npm run build\``).toBe(true);
  }
});

test("the API's description is the one of this digest", () => {
  expect(createHash("sha256").update(readFile("schemas/openapi.json")).digest("hex")).toBe(DIGEST);
});

function readFile(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
}
