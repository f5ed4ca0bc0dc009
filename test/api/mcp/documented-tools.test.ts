import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FACTORY_TOOLS } from "../../../src/api/mcp/factory-tools/factory-tools.ts";
import { AGENT_TOOLS } from "../../../src/api/mcp/tools/agent-tools.ts";

const page = readFileSync("docs/foreman.md", "utf8");
const overview = page.slice(page.indexOf("\n## Tools"), page.indexOf("\n### The public names"));
const rows = new Map(page.split("\n").map((line) => [/^\| `(\w+)` \|/.exec(line)?.[1] ?? "", line]));

test.each([...AGENT_TOOLS, ...FACTORY_TOOLS])("the page about families lists the tool $name", ({ name }) => {
  expect(overview).toContain(`\`${name}\``);
});

test.each(FACTORY_TOOLS)(
  "the page about families lists every argument of $name and its other names",
  (tool) => {
    const row = rows.get(tool.name) ?? "";
    const { properties } = tool.input;
    for (const name of [...Object.keys(properties), ...Object.keys(tool.synonyms ?? {})])
      expect(row).toContain(`\`${name}\``);
    for (const [other, name] of Object.entries(tool.synonyms ?? {})) {
      expect(Object.keys(properties)).toContain(name);
      expect(Object.keys(properties)).not.toContain(other);
    }
  },
);
