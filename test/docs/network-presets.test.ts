import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entryProblems, NETWORK_PRESETS } from "../../src/network/network-rule.ts";

const PAGE = readFileSync(new URL("../../docs/guardrails.md", import.meta.url), "utf8");
const TABLE = PAGE.slice(PAGE.indexOf("<!-- presets -->"), PAGE.indexOf("<!-- /presets -->"));

test("the page of guardrails lists every preset with its hosts", () => {
  const rows = [...TABLE.matchAll(/^\| `(@\w+)` \| (.*) \|$/gm)].map(([, name, hosts = ""]) => [
    name,
    [...hosts.matchAll(/`([^`]+)`/g)].map(([, host]) => host),
  ]);
  expect(Object.fromEntries(rows)).toEqual(NETWORK_PRESETS);
});

test("every entry of a preset is valid", () => {
  expect(Object.values(NETWORK_PRESETS).flatMap((hosts) => entryProblems(hosts))).toEqual([]);
});
