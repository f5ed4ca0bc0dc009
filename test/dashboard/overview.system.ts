import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasNoBarrier, SCREENS, type Visit, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { startServer } from "../given/server.ts";
import { storyOf } from "../given/story.ts";
import { workingMill } from "../given/working-mill.ts";

const shared = sharedByFile(async () => {
  const mill = await workingMill();
  return { mill, server: mill.server };
});

const visit = visitorsTo(shared);

async function overview(options: Visit = {}) {
  const page = await visit({ path: "/", ...options });
  await bars(page, "Runs").last().waitFor();
  return page;
}

const bars = (page: Page, kind: "Deliveries" | "Runs") =>
  page.getByRole("group", { name: `${kind} over time` }).getByRole("link");

describe.each(SCREENS)("at $name", ({ viewport, colorScheme }) => {
  test("what needs a person comes first, with the question and its age, and nothing is out of reach", async () => {
    const page = await overview({ viewport });
    await page.emulateMedia({ colorScheme });
    const needs = page.getByRole("region", { name: "Needs attention" }).getByRole("listitem");
    const first = needs.first();
    await first.getByText("The migration drops a column that has data. Shall I go on?").waitFor();
    expect(await first.getByRole("time").count()).toBe(1);
    await page.getByRole("table", { name: "Factories", exact: true }).getByText("failed").first().waitFor();
    await hasNoBarrier(page);
  });
});

test("the charts are in view at 1440 by 900, below what needs a person and the factories", async () => {
  const page = await overview();
  await page.getByRole("table", { name: "Factories", exact: true }).getByText("shop").waitFor();
  const box = await page.getByRole("region", { name: "Activity" }).boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(900);
});

test("each factory has a line with its open, failed and rejected numbers, which lead to their lists", async () => {
  const page = await overview();
  const line = page
    .getByRole("table", { name: "Factories", exact: true })
    .getByRole("row")
    .filter({ hasText: "acme" });
  await line.getByText("synced").waitFor();
  await line.getByRole("link", { name: "2 deliveries rejected" }).click();
  await page.getByRole("heading", { level: 1, name: "Deliveries" }).waitFor();
  expect(new URL(page.url()).searchParams.get("factory")).toBe("acme");
  await page.getByText("Rejected (invalid JSON)").last().waitFor();
});

test.each([
  ["1 h", "1h", 60],
  ["24 h", "24h", 24],
  ["7 d", "7d", 168],
  ["30 d", "30d", 30],
])("the range %s stands in the address, and has its bars", async (button, range, count) => {
  const page = await overview();
  await page.getByRole("group", { name: "Time range" }).getByRole("button", { name: button }).click();
  await expect.poll(() => bars(page, "Runs").count(), { timeout: 10_000 }).toBe(count);
  expect(new URL(page.url()).searchParams.get("range")).toBe(range);
  await page.reload();
  await expect.poll(() => bars(page, "Deliveries").count(), { timeout: 10_000 }).toBe(count);
  await hasNoBarrier(page);
});

test("keys go from bar to bar, and a bar leads to the runs of its time", async () => {
  const page = await overview({ path: "/?range=7d" });
  const all = bars(page, "Runs");
  await expect.poll(() => all.count(), { timeout: 10_000 }).toBe(168);
  await all.last().focus();
  await page.keyboard.press("ArrowLeft");
  const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
  expect(await focused()).toMatch(/: 0 runs$/);
  await page.keyboard.press("End");
  expect(await focused()).toMatch(/: \d+ runs \(.*1 failed\)$/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
  const search = new URL(page.url()).searchParams;
  const [after = "", before = ""] = [search.get("created_after") ?? "", search.get("created_before") ?? ""];
  expect(Date.parse(before) - Date.parse(after)).toBe(3_600_000);
  await page.getByRole("link", { name: "Upgrade the compiler" }).waitFor();
});

test("the number of failed runs leads to them alone", async () => {
  const page = await overview();
  await page
    .getByRole("region", { name: "Activity" })
    .getByRole("link", { name: "1 failed", exact: true })
    .click();
  await page.getByRole("link", { name: "Upgrade the compiler" }).waitFor();
  expect(await page.getByRole("link", { name: "Mend the failing cart test" }).count()).toBe(0);
});

describe("a new server", () => {
  const newServer = sharedByFile(async () => ({ server: await startServer({ sources: [] }) }));
  const visitNew = visitorsTo(newServer);

  test("has no list of first steps any more after it was dismissed", async () => {
    const page = await visitNew({ path: "/" });
    const steps = page.getByRole("region", { name: "First steps" });
    await steps.getByRole("button", { name: "Dismiss" }).click();
    await steps.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("region", { name: "Activity" }).waitFor();
    expect(await steps.count()).toBe(0);
  });

  test("has a list of first steps, which are ticked as they are taken, and goes with the last", async () => {
    const { server } = newServer();
    const page = await visitNew({ path: "/" });
    const steps = page.getByRole("region", { name: "First steps" });
    await steps.getByText("millrace webhooks create my-webhook --factory default").waitFor();
    await hasNoBarrier(page);
    const { url, secret } = await server.api<{ url: string; secret: string }>(
      "POST",
      "/factories/default/webhooks",
      { name: "ci" },
    );
    await steps.getByRole("listitem").filter({ hasText: "Add a webhook (done)" }).waitFor();
    await steps.getByText("millrace webhooks send ci --factory default").waitFor();
    await storyOf(server).accept(url, secret, '{"n":1}');
    await steps.waitFor({ state: "detached" });
  });
});
