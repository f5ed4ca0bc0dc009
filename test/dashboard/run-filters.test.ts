import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filterText } from "../../dashboard/src/pages/runs/filter-words.ts";
import {
  filtersOf,
  runQueryOf,
  withFilter,
  withoutFilters,
} from "../../dashboard/src/pages/runs/run-filters.ts";

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

const at = (query: string) => new URLSearchParams(query);

test.each(["state=FAILED,ERROR", "state=FAILED&state=ERROR", "state=FAILED&state=ERROR,FAILED"])(
  "several states stand in the address as %s",
  (query) => {
    expect(runQueryOf(at(query)).state).toEqual(["FAILED", "ERROR"]);
  },
);

test("a period begins so long before now, unless there is an interval", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  expect(runQueryOf(at("period=24h"), now).created_after).toBe("2026-11-20T12:00:00.000Z");
  expect(runQueryOf(at("period=nonsense"), now)).toEqual({ sort_by: "created_at" });
  const both = at("period=24h&created_after=2026-01-01T00:00:00Z");
  expect(runQueryOf(both, now).created_after).toBe("2026-01-01T00:00:00Z");
});

test("a period takes the place of an interval, and an interval that of a period", () => {
  const interval = withFilter(at("period=7d&q=a"), "created_after", ["2026-01-01T00:00:00Z"]);
  expect([...interval.keys()]).toEqual(["q", "created_after"]);
  expect(withFilter(interval, "period", ["1h"]).toString()).toBe("q=a&period=1h");
});

test("clearing takes every filter away, and leaves the order", () => {
  const query = at("q=a&state=FAILED&period=1h&rerun_of=x&metadata=a=b&sort_order=asc");
  expect(filtersOf(query).map(({ name }) => name)).toEqual(["q", "state", "period", "rerun_of", "metadata"]);
  expect(withoutFilters(query).toString()).toBe("sort_order=asc");
});

test("a filter is told in names, also of an automation that is deleted but that a run names", () => {
  const runs = [{ automation_id: "A", agent_config: { name: "triage" } }] as never;
  const options = { factory_uid: [{ value: "F", label: "acme" }] };
  const told = (name: string, ...values: string[]) => filterText({ name, label: "", values }, options, runs);
  expect(told("factory_uid", "F", "G")).toBe("acme, G");
  expect(told("automation_id", "A")).toBe("triage");
  expect(told("automation_id", "B")).toBe("B");
});
