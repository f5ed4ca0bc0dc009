import { afterEach, expect, test } from "vitest";
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

test("a broken commit is shown with its line, and the applied revision stays active", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  await page.goto("/factories/acme/revisions");
  await page.getByText("Say what the boss does").first().waitFor();
  const hash = mill.repository.push(
    { "webhooks/ci.yaml": "secretName: CI_SECRET\nenabeld: false\n" },
    { message: "Switch ci off" },
  );
  // Nobody asks for the page again.
  await mill.server.api("POST", "/factories/acme/sync?wait=true");
  await page.getByText("Switch ci off", { exact: true }).waitFor();
  const sync = page.getByRole("region", { name: "Sync", exact: true });
  await sync.getByText("webhooks/ci.yaml:2:1").waitFor();
  await sync.locator("mark").getByText("enabeld").waitFor();
  expect(await sync.innerText()).toContain(hash.slice(0, 10));
  // Neither the history nor a plan of the same revision lists it once more.
  await page.getByRole("button", { name: "Plan the current source" }).click();
  await page.getByText("It has the problems listed under Sync.").waitFor();
  await page.getByText("1 error, listed above under Sync.").waitFor();
  expect(await page.getByText("webhooks/ci.yaml:2:1").count()).toBe(1);
  await page.getByRole("navigation").getByRole("link", { name: "Overview" }).click();
  await page.getByRole("link", { name: `acme could not apply ${hash.slice(0, 10)}` }).waitFor();
});

test("the current source is planned, applied by a manual sync, and compared with the previous revision", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  await page.goto("/factories/acme/revisions");
  mill.repository.push(
    { "webhooks/ci.yaml": "secretName: CI_SECRET\n", "webhooks/more.yaml": "secretName: CI_SECRET\n" },
    { message: "Listen to more" },
  );
  await page.getByRole("button", { name: "Plan the current source" }).click();
  const plan = page.getByRole("region", { name: "Plan", exact: true });
  await plan.getByText("Can be applied").waitFor();
  await plan.getByText("1 created").waitFor();
  await page.getByRole("button", { name: "Sync now" }).click();
  await page.getByText("Sync finished: synced.").waitFor();
  await page.getByText("Listen to more").first().waitFor();
  const compare = page.getByRole("region", { name: "Compare" });
  const optionWith = async (text: string) =>
    (await compare.getByLabel("From").locator("option").allTextContents()).find((each) =>
      each.includes(text),
    ) ?? "";
  await compare.getByLabel("From").selectOption({ label: await optionWith("Say what the boss does") });
  await compare.getByLabel("To").selectOption({ label: await optionWith("Listen to more") });
  await compare
    .getByRole("region", { name: "webhooks/more.yaml" })
    .getByText("+secretName: CI_SECRET")
    .waitFor();
});

test("an earlier revision becomes active again, and the factory syncs with its source when it is resumed", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  await page.goto("/factories/acme/revisions");
  const begin = page.getByRole("listitem").filter({ hasText: "Begin" });
  await begin.getByRole("button", { name: /^Roll back/ }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.innerText()).toContain("The factory is also suspended");
  await dialog.getByText("Can be applied").waitFor();
  expect(await dialog.innerText()).toMatch(/delete\s*webhook more/);
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await page.getByText("Rolled back and suspended acme.").waitFor();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  const { sync } = await mill.server.api<{ sync: { status: string } }>("GET", "/factories/acme");
  expect(sync.status).toBe("suspended");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByText("Resumed acme.").waitFor();
  await page.getByRole("button", { name: "Sync now" }).waitFor();
});

test("the factory is changed where its name stands, and the page stays of the same kind", async () => {
  const { page } = shared().desk;
  await page.goto("/factories/acme/webhooks");
  await page.getByRole("button", { name: /^Factory acme/ }).click();
  await page.getByRole("menuitem", { name: /shop/ }).click();
  await page.waitForURL("**/factories/shop/webhooks");
  await page.getByRole("link", { name: "orders" }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "payments" }).waitFor();
});
