import type { Locator, Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { openBrowser, signedIn, type Visitor } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { waitFor } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const PULL_REQUEST = "https://git.example.com/acme/shop/pull/7";

/** Opens a pull request, fails, asks a person, or stays until it is ended, as its prompt says. */
const AGENT = `
  import { readFileSync } from "node:fs";
  const prompt = readFileSync("prompt.md", "utf8");
  const { MILLRACE_API_URL, MILLRACE_RUN_ID, MILLRACE_RUN_TOKEN } = process.env;
  const post = (path, body) =>
    fetch(MILLRACE_API_URL + "/api/v1/agent/runs/" + MILLRACE_RUN_ID + path, {
      method: "POST",
      headers: { authorization: "Bearer " + MILLRACE_RUN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  if (prompt.includes("Fail.")) process.exit(2);
  if (prompt.includes("Ask.")) await post("/blocked", { message: "May I drop the column?" });
  else if (prompt.includes("Stay.")) await new Promise((end) => setTimeout(end, 600_000));
  else await post("/artifacts", { artifact_type: "PULL_REQUEST", data: { url: "${PULL_REQUEST}", branch: "fix" } });`;

const shared = sharedByFile(async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/fix-build/automation.md": automationOn(["ci"], { kind: ["build"] }, "Fix it."),
    "automations/mend/automation.md": automationOn(["ci"], { kind: ["broken"] }, "Fail."),
  };
  const env = { MILLRACE_RUN_CONCURRENCY: "1" };
  const given = await serving(files, { CI_SECRET: "the-token" }, { agent: AGENT, env });
  const { server, story } = given;
  const url = await story.urlOf("ci");
  const deliver = (payload: object) => story.accept(url, "the-token", JSON.stringify(payload));
  const quiet = await deliver({ kind: "order", order: { number: 4711 } });
  for (let n = 1; n <= 5; n += 1) await story.endedRunOf(await deliver({ kind: "broken", n }));
  await story.endedRunOf(await deliver({ kind: "build", n: 1 }));
  const start = async (title: string, prompt: string) =>
    (await server.api<{ run_id: string }>("POST", "/agent/runs", { title, prompt })).run_id;
  const blocked = await start("Drop the unused column", "Ask.");
  await waitFor(async () => (await story.run(blocked)).state === "BLOCKED" || undefined);
  const staying = await start("Watch the queue", "Stay.");
  await waitFor(async () => (await story.run(staying)).state === "INPROGRESS" || undefined);
  const waiting = await start("Wait for its turn", "Fix it.");
  return { ...given, quiet, blocked, staying, waiting, browser: await openBrowser() };
});

const visitors: Visitor[] = [];
afterEach(() => {
  expect(visitors.splice(0).flatMap(({ misdeeds }) => misdeeds)).toEqual([]);
});

/** Someone at the overview who knows nothing of the server, and whose clicks are counted. */
async function stranger(): Promise<{ page: Page; click(target: Locator): Promise<void>; clicks(): number }> {
  const { browser, server } = shared();
  const visitor = await signedIn(browser, server, { viewport: { width: 1440, height: 900 } });
  visitors.push(visitor);
  await visitor.page.goto("/");
  let count = 0;
  return {
    page: visitor.page,
    async click(target) {
      count += 1;
      await target.click();
    },
    clicks: () => count,
  };
}

test("from the overview, the reason why a queued run waits is two clicks away", async () => {
  const { page, click, clicks } = await stranger();
  await click(page.getByRole("region", { name: "Activity" }).getByRole("link", { name: /not ended$/ }));
  await click(page.getByRole("link", { name: "Wait for its turn" }));
  await page
    .getByText(/in progress/i)
    .first()
    .waitFor();
  await page.getByText("This run starts next.").waitFor();
  expect(clicks()).toBeLessThanOrEqual(2);
});

test("from the overview, the pull request of the last run of an automation is two clicks away", async () => {
  const { page, click, clicks } = await stranger();
  const link = page
    .getByRole("table", { name: "Latest runs" })
    .getByRole("row")
    .filter({ hasText: "fix-build" })
    .first()
    .getByRole("link", { name: /^Pull request/ });
  expect(await link.getAttribute("href")).toBe(PULL_REQUEST);
  // Where it leads is no server of a test.
  await page.context().route(`${PULL_REQUEST}**`, (route) => route.fulfill({ body: "the pull request" }));
  const opened = page.context().waitForEvent("page");
  await click(link);
  await (await opened).waitForURL(PULL_REQUEST);
  expect(clicks()).toBeLessThanOrEqual(2);
});

test("from the overview, a delivery is found by an order in it, and why it started nothing, with three clicks", async () => {
  const { page, click, clicks } = await stranger();
  await click(page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Deliveries" }));
  await page.getByLabel("Search", { exact: true }).fill("order 4711");
  await waitFor(
    async () => (await page.getByRole("button", { name: /^Open delivery/ }).count()) === 1 || undefined,
  );
  await click(page.getByRole("button", { name: `Open delivery ${shared().quiet}` }));
  await page.getByText("Would not trigger").first().waitFor();
  expect(clicks()).toBeLessThanOrEqual(3);
});

test("from the overview, five deliveries whose runs failed are redelivered with four clicks", async () => {
  const { page, click, clicks } = await stranger();
  await click(page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Deliveries" }));
  await click(page.getByLabel("Runs", { exact: true }));
  await page.getByLabel("Runs", { exact: true }).selectOption({ label: "With a failed run" });
  await click(page.getByRole("button", { name: "Redeliver 5 shown" }));
  const dialog = page.getByRole("dialog");
  await dialog.getByText("mend in acme: 5 runs").waitFor();
  await click(dialog.getByRole("button", { name: "Redeliver", exact: true }));
  await dialog.waitFor({ state: "detached" });
  const { server } = shared();
  const { deliveries } = await server.api<{ deliveries: { redelivery_of: string | null }[] }>(
    "GET",
    "/deliveries?limit=100",
  );
  expect(deliveries.filter(({ redelivery_of }) => redelivery_of !== null)).toHaveLength(5);
  expect(clicks()).toBeLessThanOrEqual(4);
});

test("from the overview, an agent that asks is answered with two clicks", async () => {
  const { page, click, clicks } = await stranger();
  const needs = page.getByRole("region", { name: "Needs attention" });
  await click(needs.getByRole("link", { name: "Drop the unused column" }));
  await page.getByLabel("Your answer").fill("Yes, it is empty.");
  await click(page.getByRole("button", { name: "Send", exact: true }));
  const { story, blocked, server, staying } = shared();
  await server.api("POST", `/agent/runs/${staying}/cancel`);
  await waitFor(async () => (await story.run(blocked)).state !== "BLOCKED" || undefined);
  expect(clicks()).toBe(2);
});
