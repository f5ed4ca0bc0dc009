import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { deferred } from "../../src/concurrency/promises.ts";
import { aKey } from "../given/ask.ts";
import { hasNoBarrier, SCREENS, type Visit, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { workingMill } from "../given/working-mill.ts";

const shared = sharedByFile(async () => {
  const mill = await workingMill();
  return { mill, server: mill.server };
});

const visit = visitorsTo(shared);

async function at(path: string, more: Visit = {}): Promise<Page> {
  const page = await visit({ path, ...more });
  await heading(page).waitFor();
  await page.locator("nav a", { hasText: "Definition" }).waitFor({ state: "attached" });
  return page;
}

const heading = (page: Page, name?: string) =>
  page.getByRole("heading", { level: 1, ...(name === undefined ? {} : { name, exact: true }) });
const field = (page: Page) => page.getByRole("combobox", { name: "Search or go to" });
const options = (page: Page) => page.getByRole("listbox", { name: "Results" }).getByRole("option");

/** Opens the search by its key, writes, and takes the first that is found. */
async function goTo(page: Page, text: string, found: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  await page.keyboard.type(text);
  await options(page).filter({ hasText: found }).first().waitFor();
  await expect.poll(() => options(page).first().textContent(), { timeout: 10_000 }).toContain(found);
  await page.keyboard.press("Enter");
  await field(page).waitFor({ state: "detached" });
}

describe("the search of everything, by the keyboard alone", () => {
  test("leads to pages, factories, webhooks, automations, agents, runs and deliveries", async () => {
    const { mill } = shared();
    const { run_id } = mill.runs.failed;
    const { deliveries } = await mill.server.api<{ deliveries: { delivery_id: string }[] }>(
      "GET",
      `/deliveries?webhook=${mill.webhookUid}&limit=1`,
    );
    const id = deliveries[0]?.delivery_id ?? "";
    const page = await at("/");
    await goTo(page, "schedules", "Schedules");
    await heading(page, "Schedules").waitFor();
    await goTo(page, "builds team", "builds");
    await heading(page, "builds").waitFor();
    await goTo(page, "nightly", "nightly");
    await heading(page, "nightly").waitFor();
    await goTo(page, "boss agents acme", "boss");
    await heading(page, "Agent boss").waitFor();
    await goTo(page, "upgrade the comp", "Upgrade the compiler");
    await heading(page, "Upgrade the compiler").waitFor();
    await goTo(page, run_id, "Upgrade the compiler");
    await goTo(page, id, id);
    await page.getByRole("button", { name: /^Close delivery/ }).waitFor();
  });

  test("does what the page offers, and shows where one went before", async () => {
    const page = await at("/secrets");
    await goTo(page, "set secret", "Set secret");
    await page.getByRole("dialog").getByLabel("Value").waitFor();
    await page.keyboard.press("Control+k");
    expect(await field(page).count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await goTo(page, "runners", "Runners");
    await heading(page, "Runners").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("group", { name: "Recent" }).getByText("Runners").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    expect(await options(page).first().getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
    await field(page).waitFor({ state: "detached" });
  });

  test("finds for a key what the key may see, and nothing else", async () => {
    const { mill } = shared();
    const key = await aKey(mill.server, { factories: ["shop"], role: "viewer" });
    const page = await at("/", { key });
    await page.keyboard.press("Control+k");
    for (const text of ["builds", "keys", "announce", mill.runs.failed.run_id]) {
      await field(page).fill(text);
      await page.getByText("Nothing found").waitFor();
    }
    await field(page).fill("orders");
    await options(page).filter({ hasText: "orders" }).waitFor();
  });

  test.each(SCREENS)("has a button, and no barrier, at $name", async ({ viewport, colorScheme }) => {
    const page = await at("/runs", { viewport });
    await page.emulateMedia({ colorScheme });
    await page.getByRole("button", { name: "Search or go to" }).click();
    await options(page).first().waitFor();
    await hasNoBarrier(page);
    await field(page).fill("no such thing");
    await page.getByText("Nothing found").waitFor();
    await hasNoBarrier(page);
  });
});

describe("keys without a modifier", () => {
  test.each([
    ["o", "Overview"],
    ["r", "Runs"],
    ["d", "Deliveries"],
    ["w", "Webhooks"],
    ["a", "Automations"],
    ["u", "Usage"],
  ])("g and %s lead to %s", async (letter, name) => {
    const page = await at("/settings");
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await heading(page, name).waitFor();
  });

  test("lead there too when they are typed before the factories are loaded", async () => {
    const page = await at("/settings");
    const typed = deferred<void>();
    await page.route("**/api/v1/factories?*", async (route) => {
      await typed.promise;
      await route.continue();
    });
    await page.reload();
    await heading(page, "Settings").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    typed.resolve();
    await heading(page, "Webhooks").waitFor();
    await page.unroute("**/api/v1/factories?*");
  });

  test("a slash goes to the search of the list, and a question mark shows the keys", async () => {
    const page = await at("/runs");
    await page.getByRole("search").getByLabel("Search").waitFor();
    await page.keyboard.press("/");
    await expect
      .poll(() => page.evaluate("document.activeElement.labels?.[0]?.textContent"), { timeout: 5_000 })
      .toMatch(/^Search/);
    await page.keyboard.type("g?r/");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await heading(page, "Runs").waitFor();
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.getByRole("cell", { name: "g r" }).waitFor();
    await hasNoBarrier(page);
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await dialog.getByText("Shortcuts without Ctrl or ⌘").click();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    expect(await dialog.count()).toBe(0);
    await heading(page, "Runs").waitFor();
  });
});

describe("the factory is chosen where it governs the page", () => {
  test.each([
    ["/factories/acme/webhooks", "/factories/team/webhooks"],
    ["/factories/acme/automations", "/factories/team/automations"],
    ["/factories/acme/automations/fix-build", "/factories/team/automations"],
    ["/factories/acme/files", "/factories/team/files"],
    ["/factories/acme/files/agents/boss/agent.md", "/factories/team/files"],
    ["/factories/acme/revisions", "/factories/team/revisions"],
    ["/factories/acme/runners", "/factories/team/runners"],
  ])("from %s to %s", async (from, to) => {
    const page = await at(from);
    await page.getByRole("button", { name: "Factory acme" }).click();
    await page.getByRole("menuitem", { name: "team" }).click();
    await page.getByRole("button", { name: "Factory team" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(to);
    const links = page
      .getByRole("navigation", { name: "Definition" })
      .getByRole("link", { name: "Revisions" });
    expect(await links.getAttribute("href")).toBe("/factories/team/revisions");
  });

  test("and is only named on every other page", async () => {
    const page = await at("/");
    for (const path of [
      "/",
      "/deliveries",
      "/runs",
      `/runs/${shared().mill.runs.done.run_id}`,
      ...[
        "/usage",
        "/agents",
        "/environments",
        "/schedules",
        "/workers",
        "/servers",
        "/secrets",
        "/keys",
        "/audit-log",
        "/settings",
      ],
    ]) {
      await page.goto(path);
      await heading(page).waitFor();
      await page.getByRole("banner").getByText("acme").waitFor();
      expect(await page.getByRole("button", { name: /^Factory / }).count()).toBe(0);
    }
  });
});
