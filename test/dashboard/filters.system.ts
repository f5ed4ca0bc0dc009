import { afterEach, expect, test } from "vitest";
import { openBrowser, signedIn } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { workingMill } from "../given/working-mill.ts";

const shared = sharedByFile(async () => {
  const [mill, browser] = await Promise.all([workingMill(), openBrowser()]);
  return { mill, browser, desk: await signedIn(browser, mill.server) };
});

afterEach(() => {
  expect(shared().desk.misdeeds).toEqual([]);
});

test("a filter of a repository is tried on stored deliveries, and its YAML is copied out, not written", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  const before = mill.repository.git("rev-parse", "HEAD");
  await page.goto("/factories/acme/automations/fix-build");
  await page.getByRole("link", { name: "Try a filter" }).click();
  await page.waitForURL("**/automations/fix-build/try");
  const trigger = page.getByRole("region", { name: "Started by" });
  const deliveries = trigger.getByLabel("Test with");
  // Each stored delivery is told by what the filter asks for.
  await deliveries
    .locator("option")
    .filter({ hasText: 'status: "passed"' })
    .first()
    .waitFor({ state: "attached" });
  const passed = await deliveries
    .locator("option")
    .filter({ hasText: 'status: "passed"' })
    .getAttribute("value");
  await deliveries.selectOption(passed);
  await trigger.getByText("Would not trigger").waitFor();
  await trigger.getByLabel("Values of status").fill("failed, passed");
  await trigger.getByText("Would trigger", { exact: true }).waitFor();
  const yaml = page.getByRole("region", { name: "YAML to copy" });
  expect(await yaml.locator("pre").innerText()).toMatch(/status: \[ ?failed, passed ?\]/);
  await yaml.getByRole("button", { name: "Copy the YAML" }).waitFor();
  expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
  await page.getByRole("button", { name: "Start again" }).click();
  expect(await yaml.locator("pre").innerText()).not.toContain("passed");
  expect(mill.repository.git("rev-parse", "HEAD")).toBe(before);
});

test("a viewer tries a filter too", async () => {
  const { mill, browser } = shared();
  const { key } = await mill.server.api<{ key: string }>("POST", "/api-keys", {
    ...{ name: "looks on", kind: "personal", role: "viewer" },
  });
  const { page, misdeeds } = await signedIn(browser, mill.server, { key });
  await page.goto("/factories/team/automations/announce");
  await page.getByRole("link", { name: "Try a filter" }).click();
  await page.getByText("Would trigger", { exact: true }).waitFor();
  expect(await page.getByRole("link", { name: "Edit" }).count()).toBe(0);
  expect(misdeeds).toEqual([]);
});

test("a trigger of GitHub is written as a form: the event, and the filters that it has", async () => {
  const { page } = shared().desk;
  await page.goto("/factories/team/new-automation");
  await page.getByLabel("Name", { exact: true }).fill("label-bugs");
  const trigger = page.getByRole("region", { name: "Started by" });
  await trigger.getByLabel("Trigger").selectOption("github");
  await trigger.getByLabel("Event").selectOption("pull_request_labeled");
  await trigger.getByLabel("Add a condition").selectOption("labels");
  await trigger.getByLabel("Values of labels").fill("agent, bug");
  await trigger.getByLabel("Add a condition").selectOption("authors");
  await trigger.getByLabel("Condition on authors", { exact: true }).selectOption("not_in");
  await trigger.getByLabel("Values of authors").fill("renovate");
  await page.getByRole("button", { name: "Text", exact: true }).click();
  const text = page.getByRole("textbox", { name: "automations/label-bugs/automation.md" });
  const written = (await text.innerText()).replaceAll(/\s+/g, " ");
  for (const part of ["provider: github", "event: pull_request_labeled", "[ agent, bug ]", "not_in:"])
    expect(written).toContain(part);
  await page.getByRole("button", { name: "Form", exact: true }).click();
  await trigger.getByRole("button", { name: "Remove the condition on authors" }).click();
  expect(await trigger.getByLabel("Values of authors").count()).toBe(0);
  await trigger.getByLabel("Trigger").selectOption("slack");
  expect(await trigger.getByLabel("Event").inputValue()).toBe("app_mention");
  await page.getByRole("button", { name: "Discard" }).click();
});

test("the form tells how many runs an automation stops starting when it is disabled", async () => {
  const { page } = shared().desk;
  await page.goto("/factories/team/automations/announce/edit");
  await page.getByText("Enabled", { exact: true }).click();
  await page.getByText(/Of the \d+ deliveries since .*, 2 would have started a run of it/).waitFor();
  await page.getByRole("button", { name: "Discard" }).click();
});

test("the page of a webhook tells how much is stopped, and its destructive actions come last on a phone", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  await page.goto(`/factories/team/webhooks/${mill.kept.builds}`);
  await page.getByText("It received 3 deliveries in the last 7 days, less than one a day.").waitFor();
  const names = () =>
    page
      .getByRole("button", { name: /^(Delete|Delete deliveries|Rotate secret|Send a test delivery)$/ })
      .allInnerTexts();
  await expect.poll(names).toEqual(["Delete", "Delete deliveries", "Rotate secret", "Send a test delivery"]);
  const desktop = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(names).toEqual(["Rotate secret", "Send a test delivery", "Delete", "Delete deliveries"]);
  if (desktop) await page.setViewportSize(desktop);
});

test("a delivery becomes a test: saved where millrace keeps the definition, and copied out elsewhere", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  await page.goto(`/factories/team/webhooks/${mill.kept.builds}`);
  const accepted = page.getByRole("row").filter({ hasText: "Accepted" }).first();
  await accepted.getByRole("button", { name: /^Open delivery/ }).click();
  await page.getByRole("link", { name: "Make a test of this delivery" }).click();
  await page.getByLabel("Test name").fill("a-build");
  const path = "automations/announce/tests/a-build.yaml";
  await page.getByRole("region", { name: path }).getByText("fires").waitFor();
  await page.getByText("No errors").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/factories/team/automations/announce");
  const { content } = await mill.server.api<{ content: string }>("GET", `/factories/team/files/${path}`);
  expect(content).toMatch(/fires: true\npayload:\n {2}\{\n {4}"build": 42,/);

  await page.goto(`/factories/acme/webhooks/${mill.webhookUid}`);
  await accepted.getByRole("button", { name: /^Open delivery/ }).click();
  await page.getByRole("link", { name: "Make a test of this delivery" }).click();
  await page.getByRole("button", { name: "Copy the test" }).waitFor();
  await page.getByRole("region", { name: "automations/fix-build/tests/delivery.yaml" }).waitFor();
  expect(await page.evaluate("globalThis.broken")).toBeUndefined();
  expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
});
