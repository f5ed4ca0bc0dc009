import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { FACTORY } from "../../given/definition.ts";
import { serving } from "../../given/serving.ts";

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary?: string; remedy?: string };
}

const RULES = new URL("../../../deploy/prometheus/millrace.rules.yml", import.meta.url);
const { groups } = parse(readFileSync(RULES, "utf8")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const METRIC = /\b(?:millrace|process|nodejs)_\w+/g;

test("the alert rules ask for nothing but what /metrics serves, and say what to do", async () => {
  const { server } = await serving(FACTORY, {});
  const served = await (await server.metrics()).text();
  const families = new Set([...served.matchAll(/^# TYPE (\w+) /gm)].map(([, name = ""]) => name));
  expect(rules.length).toBeGreaterThan(0);
  for (const { alert, expr, annotations } of rules) {
    for (const [metric] of expr.matchAll(METRIC)) {
      expect(families.has(metric.replace(/_bucket$/, "")), `${alert}: ${metric}`).toBe(true);
    }
    for (const [, label = "", values = ""] of expr.matchAll(/(state|status)=~?"([^"]+)"/g)) {
      for (const value of values.split("|"))
        expect(served, `${alert}: ${label}`).toContain(`${label}="${value}"`);
    }
    expect(annotations.summary && annotations.remedy, alert).toBeTruthy();
  }
});
