import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DESK, hasNoBarrier, PHONE, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, automationWith, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { serving } from "../given/serving.ts";

const TOKEN = "the-token";

/** Reports a pull request, and fails for a delivery that says so. */
const AGENT = `
  import { readFileSync } from "node:fs";
  const { MILLRACE_API_URL, MILLRACE_RUN_ID, MILLRACE_RUN_TOKEN, MILLRACE_PAYLOAD_FILE } = process.env;
  await fetch(MILLRACE_API_URL + "/api/v1/agent/runs/" + MILLRACE_RUN_ID + "/artifacts", {
    method: "POST",
    headers: { authorization: "Bearer " + MILLRACE_RUN_TOKEN, "content-type": "application/json" },
    body: JSON.stringify({ artifact_type: "PULL_REQUEST", data: { url: "https://git.example.com/acme/shop/pull/47" } }),
  });
  process.exit(readFileSync(MILLRACE_PAYLOAD_FILE, "utf8").includes("fail") ? 1 : 0);`;

const FILES = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "webhooks/busy.yaml": TOKEN_WEBHOOK,
  "webhooks/forms.yaml": TOKEN_WEBHOOK,
  "automations/fix/automation.md": automationOn(["ci"]),
  "automations/nightly/automation.md": automationWith(`triggers:
  - { provider: schedule, event: cron_fired, schedule: { cron: "@daily" } }
millrace: { missed: once }`),
};

const shared = sharedByFile(async () => {
  const env = { MILLRACE_DELIVERIES_PER_MINUTE: "4" };
  const served = await serving(FILES, { CI_SECRET: TOKEN }, { agent: AGENT, env });
  const { story } = served;
  const ci = await story.webhook("ci");
  const forms = await story.webhook("forms");
  await Promise.all(
    [1, 2, 3].map(async (n) => story.endedRunOf(await story.accept(ci.url, TOKEN, `{"n":${n}}`))),
  );
  const last = await story.accept(ci.url, TOKEN, '{"fail":true}');
  await story.endedRunOf(last);
  const busy = await story.webhook("busy");
  // All at once, before the budget has room again.
  await Promise.all(Array.from({ length: 6 }, (_, n) => story.deliver(busy.url, TOKEN, `{"n":${n}}`)));
  await Promise.all(Array.from({ length: 20 }, () => story.deliver(forms.url, "wrong", "{}")));
  return { ...served, ci, busy, forms };
});

const visit = visitorsTo(shared);

describe.each([DESK, PHONE])("at $width pixels", (viewport) => {
  const isWide = viewport === DESK;
  const open = (path: string) => visit({ path, viewport });
  const isAccessible = (page: Page) => hasNoBarrier(page, { isDarkToo: isWide });

  test("the automations show the last run with its pull request, the success rate, a day and the next time", async () => {
    const page = await open("/factories/acme/automations");
    const row = page.getByRole("row").filter({ hasText: "fix" });
    await row.getByText("Failed", { exact: true }).waitFor();
    const link = row.getByRole("link", { name: "PR #47" });
    expect(await link.getAttribute("href")).toBe("https://git.example.com/acme/shop/pull/47");
    expect(await link.getAttribute("rel")).toContain("noopener");
    if (isWide) {
      await row.getByText("75 %").waitFor();
      await row
        .getByRole("img", { name: /^Runs in the last 24 hours: 4, 1 failed, at most \d in an hour$/ })
        .waitFor();
      const nightly = page.getByRole("row").filter({ hasText: "nightly" });
      await nightly.getByText(/^in \d+ (hr|min)/).waitFor();
    }
    await isAccessible(page);
    await row.getByRole("link", { name: /^Last run/ }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
  });

  test("the page of an automation leads to its last run and the delivery that started it", async () => {
    const page = await open("/factories/acme/automations/fix");
    const about = page.getByRole("region", { name: "About" });
    await about.getByText("75 %").waitFor();
    await about.getByRole("link", { name: "PR #47" }).waitFor();
    await isAccessible(page);
    await about
      .getByRole("definition")
      .getByRole("link", { name: /^[0-9a-f]{8}$/ })
      .click();
    await page.waitForURL(/\/webhooks\/\w{22}\?delivery=/);
  });

  test("the webhooks mark one that refuses all, and deliveries that left no record", async () => {
    const page = await open("/factories/acme/webhooks");
    const rowOf = (name: string) =>
      page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
    const ci = rowOf("ci");
    await ci.getByText("Accepted", { exact: true }).waitFor();
    expect(await ci.getByText("dropped").count()).toBe(0);
    await rowOf("busy").getByText("2 dropped").waitFor();
    const forms = rowOf("forms");
    await forms.getByText("Refuses all").waitFor();
    await forms.getByText("Rejected (auth)", { exact: true }).waitFor();
    if (isWide) {
      await ci.getByRole("img", { name: /^Deliveries in the last 24 hours: 4, 0 rejected/ }).waitFor();
      await ci.getByText("75 %").waitFor();
    }
    await isAccessible(page);
  });

  test("the page of a webhook shows how it is doing, and what was dropped by the hour", async () => {
    const { ci, busy, forms } = shared();
    const page = await open(`/factories/acme/webhooks/${busy.uid}`);
    const activity = page.getByRole("region", { name: "Activity" });
    await activity.getByText("2 beyond the budget, 0 from blocked addresses").waitFor();
    await activity.getByText("Refused without a record, by hour").click();
    await activity.getByRole("row", { name: /:00 2 0$/ }).waitFor();
    await isAccessible(page);
    await page.goto(`/factories/acme/webhooks/${ci.uid}`);
    await activity.getByRole("link", { name: "PR #47" }).waitFor();
    await page.goto(`/factories/acme/webhooks/${forms.uid}`);
    await activity.getByText("Refuses all").waitFor();
    await activity.getByText(/The last reason: the bearer token does not match/).waitFor();
    await isAccessible(page);
  });

  test("the schedules of automations are listed with the way to each", async () => {
    const page = await open("/schedules");
    const row = page.getByRole("region", { name: "Schedules of automations" }).getByRole("row");
    const nightly = row.filter({ hasText: "nightly" });
    await nightly.getByText("@daily").waitFor();
    if (isWide) {
      await nightly.getByText("fires once").waitFor();
      await nightly.getByText(/^in \d+ (hr|min)/).waitFor();
    }
    await isAccessible(page);
    await nightly.getByRole("link", { name: "nightly" }).click();
    await page.waitForURL(/\/automations\/nightly$/);
  });

  test("a secret shows what uses it, and the question before it is deleted says so", async () => {
    const page = await open("/secrets");
    const row = page.getByRole("row").filter({ hasText: "CI_SECRET" });
    await row.getByRole("link", { name: "webhook ci" }).waitFor();
    await row.getByRole("link", { name: "webhook busy" }).waitFor();
    await isAccessible(page);
    await row.getByRole("button", { name: "Delete CI_SECRET" }).click();
    await page.getByRole("dialog").getByText("Used by webhook busy, webhook ci, webhook forms.").waitFor();
  });

  test("the agents show their last run and how many they have executed", async () => {
    const page = await open("/agents");
    const row = page.getByRole("row").filter({ hasText: "boss" });
    await row.getByText("Failed", { exact: true }).waitFor();
    if (isWide) await row.getByRole("link", { name: "4", exact: true }).waitFor();
    await isAccessible(page);
    // Its name says which it is, and not its uid.
    expect(await row.textContent()).not.toMatch(/\b\w{22}\b/);
  });
});
