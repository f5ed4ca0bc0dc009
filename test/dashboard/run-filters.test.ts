import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runQueryOf } from "../../dashboard/src/pages/runs/run-filters.ts";

const { paths } = JSON.parse(readFileSync(new URL("../../schemas/openapi.json", import.meta.url), "utf8"));
const parameters: { name: string }[] = paths["/agent/runs"].get.parameters;
/** Pages are the page's own business. */
const filters = parameters.map(({ name }) => name).filter((name) => !["limit", "cursor"].includes(name));

test.each(filters)("the address of the list of runs takes the filter %s of the API", (name) => {
  expect(runQueryOf(new URLSearchParams([[name, "a=b"]]))).toHaveProperty(name);
});

test("the address of the list of runs takes nothing that the API does not know", () => {
  expect(runQueryOf(new URLSearchParams("nonsense=1"))).toEqual({ sort_by: "created_at" });
});
