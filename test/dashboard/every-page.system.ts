import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { lookAt, openBrowser, picture, signedIn, violations, visit } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { waitFor } from "../given/server.ts";
import { type WorkingMill, workingMill } from "../given/working-mill.ts";

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

/** Has a pull request of GitHub start it, and asks for a label. */
async function chooseGithub(page: Page): Promise<void> {
  await page.getByLabel("Trigger").selectOption("github");
  await page.getByLabel("Event").selectOption("pull_request_labeled");
  await page.getByLabel("Add a condition").selectOption("labels");
  await page.getByLabel("Values of labels").fill("agent");
  await checked(page);
}

/** What a delivery would start when it came again. */
async function askToRedeliver(page: Page): Promise<void> {
  const accepted = page.getByRole("row").filter({ hasText: "Accepted" }).first();
  await accepted.getByRole("button", { name: /^Open delivery/ }).click();
  await pressing("Redeliver")(page);
  await page.getByText(/this delivery starts/).waitFor();
}

const PAGES: readonly [name: string, place: Place, heading: string, press?: Press][] = [
  ["overview", "/", "Overview"],
  ["webhooks", "/factories/acme/webhooks", "Webhooks"],
  ["webhook", ({ webhookUid }) => `/factories/acme/webhooks/${webhookUid}`, "ci"],
  [
    "webhook-redelivering",
    ({ webhookUid }) => `/factories/acme/webhooks/${webhookUid}`,
    "ci",
    askToRedeliver,
  ],
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
  ["automation-trying", "/factories/acme/automations/fix-build/try", "Try a filter: fix-build"],
  ["automation-of-github", "/factories/team/new-automation", "Add automation", chooseGithub],
  ["automation-editing-text", "/factories/team/automations/announce/edit", "Edit announce", misspell],
  ["automation-adding", "/factories/team/new-automation", "Add automation", checked],
  ["files", "/factories/team/files", "Files"],
  ["file", "/factories/acme/files/agents/boss/agent.md", "Agent boss"],
  ["file-editing", "/factories/team/files/webhooks/builds.yaml", "Webhook builds", checked],
  ["file-adding", "/factories/team/new-file", "Add file", checked],
  ["deliveries", "/deliveries", "Deliveries"],
  ["runs", "/runs", "Runs"],
  ["runs-filtering", "/runs?state=SUCCEEDED,FAILED&period=24h", "Runs", pressing("State")],
  [
    "runs-cancelling",
    "/runs",
    "Runs",
    async (page) => {
      await page.getByRole("checkbox", { name: "Select all loaded runs" }).check();
      await pressing("Cancel…")(page);
      await page.getByRole("dialog").getByText("Not possible for").waitFor();
    },
  ],
  [
    "run-repeating",
    ({ runs }) => `/runs/${runs.failed.run_id}`,
    "Upgrade the compiler",
    async (page) => {
      await pressing("Run again")(page);
      await page.getByRole("dialog").getByText("The server's default agent").waitFor();
    },
  ],
  ["run", ({ runs }) => `/runs/${runs.done.run_id}`, "Mend the failing cart test"],
  ["run-failed", ({ runs }) => `/runs/${runs.failed.run_id}`, "Upgrade the compiler"],
  ["run-blocked", ({ runs }) => `/runs/${runs.blocked.run_id}`, "Drop the unused column"],
  ["revisions", "/factories/acme/revisions", "Revisions"],
  [
    "revisions-rolling-back",
    "/factories/acme/revisions",
    "Revisions",
    async (page) => {
      await page
        .getByRole("button", { name: /^Roll back to/ })
        .last()
        .click();
      await page.getByText("Can be applied").waitFor();
    },
  ],
  ["revisions-failed", "/factories/shop/revisions", "Revisions"],
  ["usage", "/usage", "Usage"],
  ["agents", "/agents", "Agents"],
  ["schedules", "/schedules", "Schedules"],
  ["schedule-adding", "/schedules", "Schedules", pressing("Add schedule")],
  ["environments", "/environments", "Environments"],
  ["environment-adding", "/environments", "Environments", pressing("Add environment")],
  ["runners", "/factories/acme/runners", "Runners"],
  ["workers", "/workers", "Workers"],
  ["worker-adding", "/workers", "Workers", pressing("Create worker")],
  ["servers", "/servers", "Servers"],
  ["secrets", "/secrets", "Secrets"],
  ["notifications", "/notifications", "Notifications"],
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
    await lookAt(page, name);
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
