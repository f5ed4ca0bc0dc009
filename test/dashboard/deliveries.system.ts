import { afterEach, expect, test } from "vitest";
import { openBrowser, signedIn, type Visitor, visit } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { ADMIN_KEY, waitFor } from "../given/server.ts";
import { workingMill } from "../given/working-mill.ts";

const shared = sharedByFile(async () => {
  const [mill, browser] = await Promise.all([workingMill(), openBrowser()]);
  return { mill, browser, desk: await signedIn(browser, mill.server) };
});

const others: Visitor[] = [];
afterEach(() => {
  expect([shared().desk, ...others.splice(0)].flatMap(({ misdeeds }) => misdeeds)).toEqual([]);
});

const webhookPage = () => `/factories/acme/webhooks/${shared().mill.webhookUid}`;

test("from the first sign-in to the first run that a delivery starts, without another tool", async () => {
  const { mill, browser } = shared();
  const visitor = await visit(browser, mill.server);
  others.push(visitor);
  const { page } = visitor;
  await page.goto("/");
  await page.getByLabel("API key").fill(ADMIN_KEY);
  await page.getByLabel("API key").press("Enter");
  await page.getByRole("navigation").getByRole("link", { name: "Definition" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("link", { name: "ci", exact: true }).click();
  await page.getByRole("button", { name: "Send a test delivery" }).click();
  await page.getByLabel("Body").fill('{"status":"failed","repository":"acme/first"}');
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("The test delivery was accepted for evaluation.").waitFor();
  // It came by itself, and is open.
  const row = page.getByRole("row").filter({ hasText: "45 bytes" });
  await row.getByText("Accepted").waitFor();
  await row.getByRole("button", { name: /^Close delivery/ }).waitFor();
  await page.getByRole("link", { name: /^[0-9a-f-]{36}$/ }).click();
  await page.getByRole("heading", { level: 1, name: "fix-build" }).waitFor();
  await page.getByText("SUCCEEDED").first().waitFor();
  await page.getByText("Wrote artifacts/report.md").first().waitFor();
  await page.getByRole("tab", { name: "Conversation" }).click();
  await page.getByText("Find out why the build failed, and mend it.").first().waitFor();
});

test("a delivery shows its outcome, and why it did or did not start anything", async () => {
  const { page } = shared().desk;
  await page.goto(webhookPage());
  const passed = page.getByRole("row").filter({ hasText: "66 bytes" }).filter({ hasText: "Accepted" });
  await passed.getByRole("button", { name: /^Open delivery/ }).click();
  // It started nothing: why is shown without being asked for.
  await page.getByText("Would not trigger").first().waitFor();
  await page
    .getByText(/status/)
    .first()
    .waitFor();
  expect(new URL(page.url()).searchParams.get("delivery")).toMatch(/^[0-9a-f-]{36}$/);
  // The address opens the same row.
  await page.reload();
  await page.getByText("Payload", { exact: true }).waitFor();
  await page.getByText('"acme/shop"', { exact: true }).waitFor();
  await page.getByLabel("Show as").selectOption("raw");
  await page.getByText('{"status":"passed","repository":"acme/shop","duration_seconds":41}').waitFor();
  const refused = page.getByRole("row").filter({ hasText: "Rejected (auth)" });
  await refused.getByRole("button", { name: /^Open delivery/ }).click();
  await page.getByText("Reason").waitFor();
  // The row that was open before closes.
  await page.getByRole("button", { name: "Redeliver" }).waitFor({ state: "detached" });
});

test("an accepted delivery is redelivered, and its run appears", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  const before = (await mill.story.runs()).length;
  await page.goto(webhookPage());
  const matching = page.getByRole("row").filter({ hasText: "138 bytes" }).last();
  await matching.getByRole("button", { name: /^Open delivery/ }).click();
  await page.getByRole("button", { name: "Redeliver" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("this delivery starts 1 run:").waitFor();
  await dialog.getByRole("button", { name: "Redeliver" }).click();
  await page.getByText("Redelivered 1 delivery: 1 run started.").waitFor();
  expect((await mill.story.runs()).length).toBe(before + 1);
});

test("what an outsider has sent is text, whatever is in it, and however much of it", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  const script = "<script>globalThis.broken = true</script>";
  const head = JSON.stringify({ status: script, list: [] }).slice(0, -2);
  const items: string[] = [];
  // Just below the largest body there may be: 262,144 bytes.
  for (let bytes = head.length; bytes < 261_000; bytes += 100)
    items.push(JSON.stringify(script + "x".repeat(56)));
  const id = await mill.story.accept(mill.webhookUrl, "value-of-CI_SECRET", `${head}${items.join(",")}]}`);
  await page.goto(`${webhookPage()}?delivery=${id}`);
  await page.getByText(`"${script}"`).first().waitFor();
  await page.getByLabel("Show as").selectOption("raw");
  await page.getByLabel("Raw payload").getByText(script).waitFor();
  expect(await page.evaluate("globalThis.broken")).toBeUndefined();
  const { runs } = mill;
  await page.goto(`/runs/${runs.done.run_id}?tab=conversation`);
  await page.getByText(script).waitFor();
  expect(await page.evaluate("globalThis.broken")).toBeUndefined();
});

test("a filter is tested against a stored delivery, clause by clause", async () => {
  const { page } = shared().desk;
  await page.goto("/factories/acme/automations/fix-build");
  const choice = page.getByLabel("Stored delivery");
  await choice.waitFor();
  const choose = async (status: string) => {
    const option = choice
      .locator("option")
      .filter({ hasText: `status: "${status}"` })
      .first();
    await option.waitFor({ state: "attached" });
    await choice.selectOption(await option.getAttribute("value"));
  };
  await choose("passed");
  await page.getByRole("button", { name: "Test filter" }).click();
  await page.getByText("Would not trigger").waitFor();
  await page
    .getByRole("listitem")
    .filter({ hasText: "payload" })
    .filter({ has: page.getByLabel("Failed", { exact: true }) })
    .first()
    .waitFor();
  await choose("failed");
  await page.getByRole("button", { name: "Test filter" }).click();
  await page.getByText("Would trigger").waitFor();
  expect(await page.getByLabel("Failed", { exact: true }).count()).toBe(0);
});

test("what comes from a repository is read-only, and the page says which file to change", async () => {
  const { page } = shared().desk;
  await page.goto(webhookPage());
  const note = page.getByText("Read-only here");
  await note.waitFor();
  expect(await note.innerText()).toContain("webhooks/ci.yaml");
  expect(await note.innerText()).toContain("main");
  expect(await note.innerText()).toContain("millrace validate");
  await page.getByText("A new value takes effect with the next commit that is applied.").waitFor();
  for (const word of ["Delete", "Rotate secret", "Change"])
    expect(await page.getByRole("button", { name: word, exact: true }).count()).toBe(0);
  expect(await page.getByRole("switch").count()).toBe(0);
  await page.goto("/factories/acme/webhooks");
  await page.getByRole("link", { name: "payments" }).waitFor();
  expect(await page.getByRole("button", { name: "Add webhook" }).count()).toBe(0);
});

test("the deliveries of all webhooks are filtered by what stands in the address, and open in place", async () => {
  const { page } = shared().desk;
  await page.goto("/");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Deliveries" }).click();
  await page.getByRole("heading", { level: 1, name: "Deliveries" }).waitFor();
  await page.getByLabel("Outcome").selectOption({ label: "Rejected" });
  await page.getByLabel("Runs").selectOption({ label: "Started nothing" });
  const refused = page.getByRole("row").filter({ hasText: "Rejected (auth)" }).first();
  await refused.getByText(/token does not match|signature/).waitFor();
  const accepted = page.getByRole("row").filter({ hasText: "Accepted" });
  await waitFor(async () => (await accepted.count()) === 0 || undefined);
  const search = new URL(page.url()).searchParams;
  expect([search.get("outcome"), search.get("started")]).toEqual([
    "Rejected (auth),Rejected (invalid JSON),Rejected (too large)",
    "false",
  ]);
  await refused.getByRole("button", { name: /^Open delivery/ }).click();
  await page.getByText("Sender", { exact: true }).waitFor();
  // The address opens the same filters and the same row.
  await page.reload();
  await page.getByText("Sender", { exact: true }).waitFor();
  expect(await page.getByLabel("Runs").inputValue()).toBe("started=false");
  await page.getByLabel("Webhook").fill("nobody");
  await page.getByText(/has a webhook "nobody"/).waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await accepted.first().waitFor();
});
