import { describe, expect, test } from "vitest";
import { planMarkdown } from "../../src/plans/plan-markdown.ts";
import { type PlanReport, reportPlan } from "../../src/plans/plan-report.ts";
import { planText } from "../../src/plans/plan-text.ts";

const EMPTY = reportPlan({
  factory: "acme",
  revision: null,
  plan: { changes: [], warnings: [] },
  problems: [],
});

const withTraffic = (automations: NonNullable<PlanReport["traffic"]>["automations"]): PlanReport => ({
  ...EMPTY,
  traffic: { since: "2026-11-14T10:00:00.000Z", deliveries: 1234, complete: true, automations },
});

const change = (name: string, path = "webhooks/x.yaml"): PlanReport["changes"][number] => ({
  action: "create",
  kind: "webhook",
  name,
  path,
  uid: null,
  fields: [],
  values: [],
});

describe("a plan in Markdown", () => {
  test("shows names as code whatever is in them", () => {
    const names = [
      "a`b``c",
      "<img src=x onerror=y>",
      "a\n# Approved",
      "[x](https://evil.example)",
      "@everyone",
    ];
    const shown = planMarkdown({ ...EMPTY, changes: names.map((name) => change(name)) });
    expect(shown).toContain("webhook ```a`b``c```");
    expect(shown).toContain("webhook `<img src=x onerror=y>`");
    expect(shown).not.toMatch(/^# Approved/m);
    expect(shown).toContain("webhook `[x](https://evil.example)`");
  });

  test("quotes sentences so that nothing in them is rendered", () => {
    const message = 'unknown key "<b>": [click](https://evil.example) @team **now**\n## Passed';
    const warning = {
      code: "secret_missing",
      message,
      path: "a.md",
      line: 1,
      column: 1,
      blocking: false,
    } as const;
    const shown = planMarkdown({ ...EMPTY, warnings: [warning] });
    expect(shown).toContain("\\<b\\>");
    expect(shown).toContain("\\[click\\]\\(https://evil.example\\)");
    expect(shown).not.toContain("@team");
    expect(shown).not.toMatch(/^## Passed/m);
  });

  test("stays short enough for a host to show", () => {
    const changes = Array.from({ length: 2_000 }, (_, n) => change(`w${n}${"x".repeat(1_000)}`));
    const shown = planMarkdown({ ...EMPTY, changes });
    expect(shown).toContain("- and 1900 more");
    expect(shown.length).toBeLessThan(65_535);
  });

  test("says what traffic would have started, as the text does", () => {
    const report = withTraffic([{ name: "triage", before: 6, after: 41, starts: ["d2"], stops: [] }]);
    expect(planMarkdown(report)).toContain("- `triage`: **41 runs instead of 6**\n  - would start: `d2`");
    expect(planText(report)).toContain("  triage: 41 runs instead of 6\n    would start, for example: d2");
  });

  test("says so when traffic would have started the same", () => {
    const report = withTraffic([{ name: "triage", before: 6, after: 6, starts: [], stops: [] }]);
    expect(planText(report)).toContain("1234 deliveries since 2026-11-14T10:00:00.000Z: every automation");
  });
});
