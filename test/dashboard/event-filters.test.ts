import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readText, withValue } from "../../dashboard/src/editor/definition-text.ts";
import {
  eventsOf,
  filterKeysOf,
  filterValuesOf,
  writtenValues,
} from "../../dashboard/src/editor/event-filters.ts";
import type { Schemas } from "../../dashboard/src/editor/schema-at.ts";
import { EVENT_PROVIDERS } from "../../src/definitions/events/event-provider.ts";

const FOLDER = new URL("../../schemas/v1alpha1/", import.meta.url);
const schemas: Schemas = Object.fromEntries(
  readdirSync(FOLDER).map((name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"))]),
);

describe.each(Object.entries(EVENT_PROVIDERS))("the form for triggers of %s", (provider, { events }) => {
  test("offers every event that webhooks can bring", () => {
    expect(eventsOf(schemas, provider)).toEqual(expect.arrayContaining(Object.keys(events)));
  });

  test.each(Object.entries(events))("offers every filter that %s answers", (event, { fields }) => {
    const offered = filterKeysOf(schemas, provider, event).map(({ name }) => name);
    const answered = Object.keys(fields).filter((name) => !/[A-Z]/.test(name));
    const matchers = answered.filter((name) => offered.includes(name));
    // What it does not offer is another spelling, a plain list beside the key that ends with _ids.
    expect(answered.filter((name) => !matchers.includes(name) && !offered.some(isLonger(name)))).toEqual([]);
  });
});

const isLonger = (name: string) => (other: string) => other.startsWith(name.replace(/s$/, ""));

const TEXT = `---
# Who it is for.
triggers:
  - provider: github # the forge
    event: pull_request_opened
    filter:
      labels: [agent] # only ours
      authors: { not_in: [bot] }
      base_branches: { in: [main] }
      pr_numbers: { in: [1], not_in: [2] }
---
Do it.
`;

test("a condition is changed where it stands, and everything around it stays as it was written", () => {
  const filterOf = (text: string): Record<string, unknown> => {
    const [trigger] = (readText("automations/a.md", text)?.data.triggers ?? []) as { filter: object }[];
    return { ...trigger?.filter };
  };
  const filter = filterOf(TEXT);
  expect(filterValuesOf(filter.labels)).toEqual({ operator: "in", values: ["agent"] });
  expect(filterValuesOf(filter.authors)).toEqual({ operator: "not_in", values: ["bot"] });
  expect(filterValuesOf(filter.base_branches)).toEqual({ operator: "in", values: ["main"] });
  expect(filterValuesOf(filter.pr_numbers)).toBeUndefined();
  for (const key of ["labels", "authors", "base_branches"]) {
    const read = filterValuesOf(filter[key]);
    if (!read) throw new Error(`${key} cannot be read`);
    expect(writtenValues(read, filter[key])).toEqual(filter[key]);
    const at = ["triggers", 0, "filter", key];
    const changed = withValue(
      "automations/a.md",
      TEXT,
      at,
      writtenValues({ ...read, values: ["x"] }, filter[key]),
    );
    const { [key]: _, ...others } = filter;
    const { [key]: now, ...othersNow } = filterOf(changed);
    expect(filterValuesOf(now)).toEqual({ operator: read.operator, values: ["x"] });
    expect(othersNow).toEqual(others);
    expect(changed).toContain("provider: github # the forge");
    expect(changed).toContain("# Who it is for.");
    expect(changed.endsWith("---\nDo it.\n")).toBe(true);
  }
});

test.each([[{}], ["main"], [{ in: [], not_in: ["a"] }], [{ exists: true }], [[{ a: 1 }]], [null]])(
  "what is no list of values is left to the text: %j",
  (value) => {
    expect(filterValuesOf(value)).toBeUndefined();
  },
);
