import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { openBrowser, signedIn, type Visitor } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { keeping } from "../given/kept.ts";
import { AMPLE_BUDGETS } from "../given/serving.ts";

const shared = sharedByFile(async () => {
  const [kept, browser] = await Promise.all([
    keeping({ agent: 'console.log("done");', env: AMPLE_BUDGETS }),
    openBrowser(),
  ]);
  const webhook = await kept.create({ name: "ci" });
  return { kept, browser, webhook, desk: await signedIn(browser, kept.server) };
});

const others: Visitor[] = [];
afterEach(() => {
  expect([shared().desk, ...others.splice(0)].flatMap(({ misdeeds }) => misdeeds)).toEqual([]);
});

const textOf = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

test("an automation is made by form, mended as text where a line is wrong, and its first delivery starts a run", async () => {
  const { kept, webhook, desk } = shared();
  const { page } = desk;
  await page.goto("/factories/default/automations");
  await page.getByRole("link", { name: "Add an automation" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("report");
  await page.getByLabel("ci", { exact: true }).waitFor();
  expect(await page.getByLabel("ci", { exact: true }).isChecked()).toBe(true);
  await page.getByLabel(/^Another field/).fill("status");
  await page.getByRole("button", { name: "Add a clause" }).click();
  await page.getByLabel("What status has to be").selectOption("in");
  await page.getByLabel("Values of status").fill("failed");
  await textOf(page, "Prompt").fill("Say why the build failed.");
  await page.getByText("Can be saved").waitFor();
  // The same document as text.
  await page.getByRole("button", { name: "Text" }).click();
  const text = textOf(page, "automations/report/automation.md");
  await text.getByText("Say why the build failed.").waitFor();
  await text.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.type("\nenabeld: true");
  await page.getByText("1 error").waitFor();
  const problems = page.getByRole("list", { name: "Problems" });
  await problems.getByText("enabeld").waitFor();
  await page.locator(".cm-lintRange-error").getByText("enabeld").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").getByText("nothing was changed").waitFor();
  await page.getByRole("button", { name: "line 2, column 1" }).click();
  await page.keyboard.press("Shift+End");
  await page.keyboard.press("Delete");
  await page.getByText("Can be saved").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByRole("heading", { level: 1, name: "report" }).waitFor();
  const { body } = await kept.call<{ content: string }>("GET", "/automations/report");
  expect(body.content).toContain("Say why the build failed.");
  expect(await kept.deliver(webhook.url, webhook.secret, '{"status":"failed"}')).toBe(202);
  expect(await kept.deliver(webhook.url, webhook.secret, '{"status":"passed"}')).toBe(202);
  await page.getByRole("region", { name: "Runs that it started" }).getByText("SUCCEEDED").waitFor();
  expect(await page.getByRole("region", { name: "Runs that it started" }).getByRole("row").count()).toBe(2);
});
