import { afterEach, expect, test } from "vitest";
import { ask } from "../given/ask.ts";
import { openBrowser, signedIn } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { workingMill } from "../given/working-mill.ts";

const shared = sharedByFile(async () => {
  const [mill, browser] = await Promise.all([workingMill(), openBrowser()]);
  return { mill, desk: await signedIn(browser, mill.server) };
});

afterEach(() => {
  expect(shared().desk.misdeeds).toEqual([]);
});

test("a secret is set, set to a new value and deleted, and its value is never shown", async () => {
  const { page } = shared().desk;
  await page.goto("/secrets");
  await page.getByRole("button", { name: "Set secret" }).click();
  await page.getByLabel("Name").fill("NEW_SECRET");
  await page.getByLabel("Value", { exact: true }).fill("the value of it");
  await page.getByRole("button", { name: "Set", exact: true }).click();
  await page.getByText("Set NEW_SECRET.").waitFor();
  expect(await page.content()).not.toContain("the value of it");
  const setting = page.getByRole("button", { name: "Update NEW_SECRET" });
  const deleting = page.getByRole("button", { name: "Delete NEW_SECRET" });
  expect((await deleting.boundingBox())?.y).toBe((await setting.boundingBox())?.y);
  await setting.click();
  expect(await page.getByLabel("Value", { exact: true }).inputValue()).toBe("");
  await page.keyboard.press("Escape");
  await deleting.click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("button", { name: "Delete secret" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Type NEW_SECRET to confirm").fill("NEW_SECRET");
  await dialog.getByRole("button", { name: "Delete secret" }).click();
  await page.getByText("Deleted NEW_SECRET.").waitFor();
});

test("a secret that a definition uses stays, and the page says who uses it", async () => {
  const { page } = shared().desk;
  await page.goto("/secrets");
  await page.getByRole("button", { name: "Delete CI_SECRET" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Type/).fill("CI_SECRET");
  await dialog.getByRole("button", { name: "Delete secret" }).click();
  await dialog.getByRole("alert").getByText("CI_SECRET").waitFor();
  await dialog.getByRole("button", { name: "Go back" }).click();
  await page.getByText("CI_SECRET", { exact: true }).waitFor();
});

test("a key is made for one factory, shown once, used, and revoked", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  await page.goto("/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("dispatcher");
  await page.getByLabel("Role").selectOption("operator");
  await page.getByLabel("acme").check();
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await page.getByText("it is not stored and will not be shown again").waitFor();
  const key = await page.getByRole("dialog").locator("pre").innerText();
  const whoami = await ask(mill.server, "GET", "/whoami", { key });
  expect(whoami.body).toMatchObject({ key_name: "dispatcher", role: "operator" });
  expect(whoami.body.factories).toHaveLength(1);
  // A slip does not lose it.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "I have copied it" }).click();
  expect(await page.content()).not.toContain(key);
  await page.getByRole("button", { name: "Revoke dispatcher" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await page.getByText("Revoked the key.").waitFor();
  expect((await ask(mill.server, "GET", "/whoami", { key })).status).toBe(401);
  // What was done stands in the log of who did what.
  await page.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Audit log" }).click();
  for (const action of ["createApiKey", "revokeApiKey", "signIn"])
    await page.getByText(action).first().waitFor();
});

test("the audit log is filtered, the filters stand in the address, and what is named is linked", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  await mill.server.api("POST", "/factories/acme/suspend");
  await mill.server.api("POST", "/factories/acme/resume");
  await page.goto("/audit-log");
  await page.getByLabel("Action", { exact: true }).fill("suspendFactory");
  await page.waitForURL("**/audit-log?action=suspendFactory");
  const rows = page.getByRole("table", { name: "Audit log" }).locator("tbody tr");
  await rows.getByText("suspendFactory").first().waitFor();
  await page.getByLabel("Factory", { exact: true }).selectOption("acme");
  await page.waitForURL("**/audit-log?action=suspendFactory&factory=acme");
  await page.reload();
  await rows.getByText("suspendFactory").waitFor();
  expect(await rows.count()).toBe(1);
  await rows.getByRole("link", { name: "acme" }).click();
  await page.waitForURL("**/factories/acme/revisions");
  await page.goBack();
  await page.getByLabel("Actor", { exact: true }).fill("nobody");
  await page.getByText("No requests match these filters").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await rows.getByText("resumeFactory").first().waitFor();
});
