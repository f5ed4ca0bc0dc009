import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openBrowser, signedIn, visit } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { waitFor } from "../given/server.ts";
import { type WorkingMill, workingMill } from "../given/working-mill.ts";

/** Pictures of every page are written here when SCREENSHOTS is set, as `npm run screenshots` does. */
const PICTURES = process.env.SCREENSHOTS
  ? fileURLToPath(new URL("../../screenshots", import.meta.url))
  : undefined;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const shared = sharedByFile(async () => {
  const [mill, browser] = await Promise.all([workingMill(), openBrowser()]);
  return { mill, browser, desk: await signedIn(browser, mill.server) };
});

type Place = string | ((mill: WorkingMill) => string);
/** What is pressed on a page, so that what it opens is seen. */
type Press = (page: Page) => Promise<void>;

const pressing =
  (name: string): Press =>
  (page) =>
    page.getByRole("button", { name, exact: true }).click();

/** What is written is checked, and nothing is asked of the server any more. */
async function checked(page: Page): Promise<void> {
  await page.getByRole("region", { name: "Check" }).getByRole("status").waitFor();
  await waitFor(async () => (await page.getByText("Checking…").count()) === 0 || undefined);
}

/** Makes a filter of a payload that has come, which it does not pass. */
async function askForStatus(page: Page): Promise<void> {
  await page.getByRole("button", { name: 'Add clause: status "passed"' }).click();
  await page.getByRole("button", { name: 'Add clause: branch "main"' }).click();
  await page.getByLabel("Values of status").fill("failed, canceled");
  await page.getByText("Would not trigger").waitFor();
  await checked(page);
}

/** Writes a key that there is not, and begins another. */
async function misspell(page: Page): Promise<void> {
  await pressing("Text")(page);
  const text = page.getByRole("textbox", { name: "automations/announce/automation.md" });
  await text.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.type("\nenabeld: true");
  await page.getByText("1 error").waitFor();
  await checked(page);
}

const PAGES: readonly [name: string, place: Place, heading: string, press?: Press][] = [
  ["overview", "/", "Overview"],
  ["webhooks", "/factories/acme/webhooks", "Webhooks"],
  ["webhook", ({ webhookUid }) => `/factories/acme/webhooks/${webhookUid}`, "ci"],
  ["webhooks-kept", "/factories/team/webhooks", "Webhooks"],
  ["webhook-adding", "/factories/team/webhooks", "Webhooks", addPayments],
  ["webhook-kept", ({ kept }) => `/factories/team/webhooks/${kept.builds}`, "builds"],
  ["webhook-awaiting", ({ kept }) => `/factories/team/webhooks/${kept.payments}`, "payments"],
  [
    "webhook-rotating",
    ({ kept }) => `/factories/team/webhooks/${kept.builds}`,
    "builds",
    pressing("Rotate secret"),
  ],
  ["webhook-deleting", ({ kept }) => `/factories/team/webhooks/${kept.builds}`, "builds", pressing("Delete")],
  ["automations", "/factories/acme/automations", "Automations"],
  ["automation", "/factories/acme/automations/fix-build", "fix-build"],
  ["automation-kept", "/factories/team/automations/announce", "announce"],
  [
    "automation-deleting",
    "/factories/team/automations/announce",
    "announce",
    async (page) => {
      await pressing("Delete")(page);
      await page.getByText(/would have triggered it/).waitFor();
    },
  ],
  ["automation-editing", "/factories/team/automations/announce/edit", "Edit announce", askForStatus],
  ["automation-editing-text", "/factories/team/automations/announce/edit", "Edit announce", misspell],
  ["automation-adding", "/factories/team/new-automation", "Add automation", checked],
  ["files", "/factories/team/files", "Files"],
  ["file", "/factories/acme/files/agents/boss/agent.md", "Agent boss"],
  ["file-editing", "/factories/team/files/webhooks/builds.yaml", "Webhook builds", checked],
  ["file-adding", "/factories/team/new-file", "Add file", checked],
  ["deliveries", "/deliveries", "Deliveries"],
  ["runs", "/runs", "Runs"],
  ["run", ({ runs }) => `/runs/${runs.done.run_id}`, "Mend the failing cart test"],
  ["run-blocked", ({ runs }) => `/runs/${runs.blocked.run_id}`, "Drop the unused column"],
  ["revisions", "/factories/acme/revisions", "Revisions"],
  ["revisions-failed", "/factories/shop/revisions", "Revisions"],
  ["agents", "/agents", "Agents"],
  ["schedules", "/schedules", "Schedules"],
  ["schedule-adding", "/schedules", "Schedules", pressing("Add schedule")],
  ["environments", "/environments", "Environments"],
  ["environment-adding", "/environments", "Environments", pressing("Add environment")],
  ["runners", "/factories/acme/runners", "Runners"],
  ["secrets", "/secrets", "Secrets"],
  ["keys", "/keys", "API keys"],
  ["audit-log", "/audit-log", "Audit log"],
  ["settings", "/settings", "Settings"],
  ["not-found", "/nowhere", "Page not found"],
  ["no-such-run", "/runs/01a1fe22-6744-70ce-94a0-348515e54587", "Run"],
];

describe("every page is accessible, in light and dark", () => {
  test.each(PAGES)("%s", async (name, place, heading, press) => {
    const { mill, desk } = shared();
    const { page } = desk;
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(typeof place === "string" ? place : place(mill));
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await press?.(page);
    await settled(page);
    expect(await violations(page)).toEqual([]);
    await picture(page, `${name}-light`);
    await page.emulateMedia({ colorScheme: "dark" });
    // All other rules see the same page.
    expect(await violations(page, ["color-contrast"])).toEqual([]);
    await picture(page, `${name}-dark`);
    await onPhone(page, async () => {
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await picture(page, `${name}-phone`);
    });
    expect(desk.misdeeds).toEqual([]);
  });

  test("sign in", async () => {
    const { mill, browser } = shared();
    const { page, misdeeds } = await visit(browser, mill.server);
    await page.goto("/");
    await page.getByRole("heading", { name: "Sign in to millrace" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, "sign-in-light");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violations(page, ["color-contrast"])).toEqual([]);
    await picture(page, "sign-in-dark");
    expect(misdeeds).toEqual([]);
  });
});

async function addPayments(page: Page): Promise<void> {
  await pressing("Add webhook")(page);
  await page.getByLabel("Name", { exact: true }).fill("orders");
  await page.getByLabel("Provider signature").check();
  await page.getByLabel("Provider scheme").selectOption("stripe");
  await page.getByPlaceholder("ORDERS_WEBHOOK_SECRET").waitFor();
}

/** Nothing is being loaded any more. */
async function settled(page: Page): Promise<void> {
  const waiting = page.getByRole("status", { name: "Loading" });
  await waitFor(async () => (await waiting.count()) === 0 || undefined);
}

async function violations(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return axe.run(only ? { runOnly: { type: "rule", values: only } } : {});
  }, rules);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
}

async function onPhone(page: Page, look: () => Promise<void>): Promise<void> {
  const desk = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  try {
    await look();
  } finally {
    if (desk) await page.setViewportSize(desk);
  }
}

/** How many pixels of a page have to be scrolled to sideways, or are cut off at the frame of a table. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(`Math.max(...[document.documentElement, ...document.querySelectorAll("div:not(.visually-hidden):has(> table)")]
    .map((each) => each.scrollWidth - each.clientWidth))`);
}

/** Names of folders that only this run of the tests has would teach nobody anything. */
const WITHOUT_TEMPORARY_NAMES = `
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    node.data = node.data.replaceAll(/\\S*\\/millrace-(\\w+)-\\w+/g, "/srv/$1");
  }`;

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.evaluate(WITHOUT_TEMPORARY_NAMES);
  await wholePage(page, async () => {
    await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  });
}

/** What sticks to the foot of the window is at the foot of the page, and everything is in view and drawn. */
async function wholePage(page: Page, look: () => Promise<void>): Promise<void> {
  const size = page.viewportSize();
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  if (size && height > size.height) await page.setViewportSize({ ...size, height });
  try {
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    await look();
  } finally {
    if (size) await page.setViewportSize(size);
  }
}
