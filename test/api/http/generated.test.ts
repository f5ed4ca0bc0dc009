import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error a script without types
import { generated } from "../../../scripts/generated.mjs";

test("what is made from the API's description is what the description makes; `npm run generate` brings it up to date", async () => {
  const files: { path: string; content: string }[] = await generated();
  expect(files.map(({ path }) => path)).toEqual([
    "schemas/openapi.json",
    "schemas/v1alpha1.bundle.json",
    "src/client/api-types.ts",
    "src/api/http/query-defaults.ts",
    "docs/reference/api.md",
    "docs/reference/commands.md",
    "docs/reference/definition-files.md",
    "docs/reference/settings.md",
    "docs/reference/worker-backend.md",
    "docs/reference/worker-protocol.md",
  ]);
  for (const { path, content } of files) {
    expect(
      readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8") === content,
      `${path} is out of date`,
    ).toBe(true);
  }
});
