import { describe, expect, test } from "vitest";
import type { Models } from "../../src/client/client.ts";
import { aKey } from "../given/ask.ts";
import { overflow, picture, SCREENS, violations, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { twoFactories } from "../given/serving.ts";
import { TELLS_USAGE, tellingHarness } from "../given/telling-harness.ts";

const shared = sharedByFile(async () => {
  const { server } = await twoFactories({}, { args: tellingHarness("claude", TELLS_USAGE) });
  return { server };
});

const visitor = visitorsTo(shared);

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-27T12:00:00Z");
const period = { since: new Date(NOW - 30 * DAY_MS).toISOString(), until: new Date(NOW).toISOString() };

const row = (key: string, cost: number | null, changes: Partial<Models["UsageRow"]> = {}) => ({
  ...{ key, uid: null, factory: null, runs: 12, runs_without_usage: 0 },
  ...{ input_tokens: 1_250_000, output_tokens: 48_000, cached_tokens: 900_000, cost_usd: cost },
  ...{
    family_cost_usd: cost,
    unpriced_tokens: 0,
    work_seconds: 5_400,
    cpu_seconds: 900,
    peak_memory_bytes: 1_000_000,
  },
  ...changes,
});

/** As a server with some traffic answers. */
const REPORTS: Readonly<Record<string, Models["UsageRow"][]>> = {
  day: Array.from({ length: 28 }, (_, back) => back)
    .filter((back) => back % 7 !== 5)
    .map((back) =>
      row(new Date(NOW - back * DAY_MS).toISOString().slice(0, 10), 3 + ((back * 7) % 11) * 1.37),
    ),
  factory: [row("acme", 152.4), row("other", 12.05)],
  automation: [
    row("acme/triage", 98.2, { factory: "acme", uid: "a-uid", family_cost_usd: 141.6 }),
    row("acme/review-every-pull-request-of-the-storefront", 54.2, { factory: "acme", uid: "b-uid" }),
    row("other/(none)", 12.05, { factory: "other", unpriced_tokens: 84_000, family_cost_usd: null }),
    row("other/nightly", null, {
      ...{ factory: "other", uid: "c-uid", runs: 30, runs_without_usage: 30 },
      ...{ input_tokens: 0, output_tokens: 0, cached_tokens: 0 },
    }),
  ],
  model: [
    row("claude-sonnet-4-5", 140.2, { work_seconds: null }),
    row("local-model", null, { work_seconds: null, unpriced_tokens: 84_000 }),
  ],
};

const COSTLIEST: Models["RunSpend"][] = [
  {
    ...{ run_id: "01a1fe22-6744-70ce-94a0-348515e54587", title: "Fix the failing cart test" },
    ...{ state: "SUCCEEDED", created_at: period.since, factory: "acme", automation: "triage", agent: "boss" },
    ...{ input_tokens: 910_000, output_tokens: 21_000, cached_tokens: 700_000, cost_usd: 9.73 },
    ...{ unpriced_tokens: 0, family_cost_usd: 21.08 },
  },
  {
    ...{ run_id: "01a1fe22-6744-70ce-94a0-348515e54588", title: null, state: null, created_at: null },
    ...{ factory: "other", automation: null, agent: null, cost_usd: 0.004, unpriced_tokens: 0 },
    family_cost_usd: null,
    ...{ input_tokens: 1_000, output_tokens: 100, cached_tokens: 0 },
  },
];

describe.each(SCREENS)("at $name", ({ name, viewport, colorScheme }) => {
  test("the page of usage shows what days, factories, automations, models and runs cost, and what is unknown", async () => {
    const page = await visitor({ viewport });
    await page.emulateMedia({ colorScheme });
    await page.route("**/api/v1/usage?*", (route) => {
      const by = new URL(route.request().url()).searchParams.get("group_by") ?? "";
      return route.fulfill({ json: { usage: REPORTS[by], ...period } });
    });
    await page.route("**/api/v1/usage/runs?*", (route) =>
      route.fulfill({ json: { runs: COSTLIEST, ...period } }),
    );
    await page.goto("/usage");
    await page.getByText("known cost").waitFor();
    const section = (title: string) => page.getByRole("region", { name: title });
    await section("By automation").getByText("$98.20").waitFor();
    const triage = section("By automation").getByRole("row", { name: "acme/triage" });
    expect(await triage.getByRole("cell").allInnerTexts()).toEqual(
      expect.arrayContaining(["$98.20", "$141.60"]),
    );
    for (const title of ["Own cost", "With children"])
      await section("By automation").getByRole("columnheader", { name: title }).waitFor();
    await section("By automation").getByText("Its harness reports no usage").waitFor();
    await section("By model").getByText("unknown", { exact: true }).waitFor();
    await section("By factory").getByText("$152.40").first().waitFor();
    await section("Costliest runs").getByText("A deleted run").waitFor();
    await section("Costliest runs").getByText("$21.08").waitFor();
    expect(await section("By day").locator("svg g").count()).toBe(31);
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await picture(page, `usage-${name.replaceAll(" ", "-")}`);
  });
});

test("a page without usage says what will be there, and a run brings it", async () => {
  const { server } = shared();
  const page = await visitor({ path: "/", key: await aKey(server, { role: "viewer" }) });
  await page.getByRole("link", { name: "Usage", exact: true }).click();
  await page.getByText("Nothing was used in this period").waitFor();
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
    prompt: "Do it.",
    config: { harness: { type: "told" } },
  });
  await expect
    .poll(async () => (await server.api<Models["RunItem"]>("GET", `/agent/runs/${run_id}`)).state)
    .toBe("SUCCEEDED");
  await page.reload();
  await page.getByRole("region", { name: "By model" }).getByText("$0.25").waitFor();
  await page.getByRole("button", { name: "7 d" }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("?since=7d");
  const link = page.getByRole("link", { name: "Usage", exact: true }).last();
  const answer = await page.request.get(new URL((await link.getAttribute("href")) ?? "", page.url()).href);
  expect([answer.status(), await answer.text()]).toEqual([200, expect.stringContaining("List prices")]);
});

test("a plan that starts more runs says what they cost in a week", async () => {
  const page = await visitor();
  await page.route("**/api/v1/factories/acme/plan", async (route) => {
    const plan = (await (await route.fetch()).json()) as Models["Plan"];
    const shift = { name: "triage", before: 6, after: 47, starts: [], stops: [] };
    const traffic = { since: period.since, deliveries: 214, complete: true };
    const automations = [{ ...shift, cost: { median: 0.3, runs: 50 } }];
    await route.fulfill({ json: { ...plan, traffic: { ...traffic, automations } } });
  });
  await page.goto("/factories/acme/revisions");
  await page.getByRole("button", { name: "Plan the current source" }).click();
  await page.getByText("That is 41 more runs a week, about $12.30 (median of its last 50 runs).").waitFor();
});

test("the page of a run shows the CPU time and the peak memory of its agent, where they were measured", async () => {
  const { server } = shared();
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it." });
  await expect
    .poll(async () => (await server.api<Models["RunItem"]>("GET", `/agent/runs/${run_id}`)).state)
    .toBe("SUCCEEDED");
  const page = await visitor();
  await page.route(`**/api/v1/agent/runs/${run_id}`, async (route) => {
    const run = (await (await route.fetch()).json()) as Models["RunItem"];
    const taken = { work_seconds: 60, cpu_seconds: 42, peak_memory_bytes: 3 * 1024 ** 2 };
    await route.fulfill({ json: { ...run, resources: { ...taken, turns: [] } } });
  });
  await page.goto(`/runs/${run_id}`);
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByText("CPU time").waitFor();
  for (const text of ["CPU time", "42 s", "Peak memory", "3.0 MB"])
    expect(await page.getByText(text, { exact: true }).count(), text).toBeGreaterThan(0);
});
