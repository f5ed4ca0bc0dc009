import type { Locator, Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { aKey } from "../given/ask.ts";
import { openBrowser, signedIn, type Visitor } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY } from "../given/definition.ts";
import { listeningTo, managedBy } from "../given/managed.ts";
import { repositoryWith } from "../given/repository.ts";
import { startServer } from "../given/server.ts";
import { AMPLE_BUDGETS } from "../given/serving.ts";

/** A server with the factory acme, which a repository defines, and default, which it keeps itself. */
const shared = sharedByFile(async () => {
  const repository = repositoryWith({ ...FACTORY, "automations/steady.md": automationOn(["ci"]) });
  const sources = [repository.url];
  const [server, browser] = await Promise.all([
    startServer({ sources, agent: 'console.log("done");', env: AMPLE_BUDGETS }),
    openBrowser(),
  ]);
  await server.api("POST", "/factories", { name: "default" });
  const kept = managedBy(server);
  const webhook = await kept.create({ name: "ci" });
  return { kept, browser, webhook, desk: await signedIn(browser, server) };
});

const others: Visitor[] = [];
afterEach(() => {
  expect([shared().desk, ...others.splice(0)].flatMap(({ misdeeds }) => misdeeds)).toEqual([]);
});

const textOf = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

/** What the browser has, and the types of the tests do not. */
interface InPage {
  DataTransfer: new () => { setData(type: string, text: string): void };
  ClipboardEvent: new (type: string, init: object) => object;
}

/** Puts a text in place of all that is there. */
async function paste(editor: Locator, text: string): Promise<void> {
  await editor.press("Control+a");
  await editor.evaluate((element, pasted) => {
    const { DataTransfer, ClipboardEvent } = globalThis as unknown as InPage;
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    (element as unknown as { dispatchEvent(event: object): void }).dispatchEvent(event);
  }, text);
}

test("an automation is created by form, a wrong line is fixed as text, and its first delivery starts a run", async () => {
  const { kept, webhook, desk } = shared();
  const { page } = desk;
  await page.goto("/factories/default/automations");
  await page.getByRole("link", { name: "Add automation" }).click();
  await page.getByRole("navigation").locator("[aria-current]", { hasText: "Automations" }).waitFor();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("report");
  await page.getByLabel("ci", { exact: true }).waitFor();
  await page.getByLabel("ci", { exact: true }).check();
  await page.getByLabel("Another field").fill("status");
  await page.getByRole("button", { name: "Add clause", exact: true }).click();
  await page.getByLabel("Condition on status").selectOption("in");
  await page.getByLabel("Values of status").fill("failed");
  await textOf(page, "Prompt").fill("Say why the build failed.");
  await page.getByText("No errors").waitFor();
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
  await page.getByText("No errors").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByRole("heading", { level: 1, name: "report", exact: true }).waitFor();
  const { body } = await kept.call<{ content: string }>("GET", "/automations/report");
  expect(body.content).toContain("Say why the build failed.");
  expect(await kept.deliver(webhook.url, webhook.secret, '{"status":"failed"}')).toBe(202);
  expect(await kept.deliver(webhook.url, webhook.secret, '{"status":"passed"}')).toBe(202);
  await page.getByRole("region", { name: "Runs" }).getByText("SUCCEEDED").waitFor();
  expect(await page.getByRole("region", { name: "Runs" }).getByRole("row").count()).toBe(2);
});

test("a filter is built by selecting fields of a real payload, and shows its result clause by clause", async () => {
  const { kept, webhook, desk } = shared();
  const { page } = desk;
  await kept.call("PUT", "/automations/picky", { body: { content: listeningTo("ci", "Look at it.") } });
  const body = JSON.stringify({
    status: "broken",
    build: { branch: "main", steps: [{ name: "lint" }] },
    labels: ["urgent"],
  });
  expect(await kept.deliver(webhook.url, webhook.secret, body)).toBe(202);
  await page.goto("/factories/default/automations/picky/edit");
  await page.getByRole("button", { name: 'Add clause: status "broken"' }).click();
  await page.getByRole("button", { name: 'Add clause: build.branch "main"' }).click();
  await page.getByRole("button", { name: 'Add clause: labels "urgent"' }).click();
  const clauses = page.getByRole("list", { name: "Clauses" }).getByRole("listitem");
  expect(await clauses.count()).toBe(3);
  const trigger = page.getByRole("region", { name: "Started by" });
  await trigger.getByText("Would trigger").waitFor();
  await trigger.getByLabel("Passed", { exact: true }).nth(3).waitFor();
  await page.getByLabel("Values of build.branch").fill("main-2, develop");
  await trigger.getByText("Would not trigger").waitFor();
  const failed = trigger.getByRole("listitem").filter({ has: page.getByLabel("Failed", { exact: true }) });
  expect(await failed.allTextContents()).toEqual([
    'payload build.branch expected one of "main-2", "develop", found "main"',
  ]);
  await page.getByLabel("Values of build.branch").fill("main");
  await page.getByRole("button", { name: "Remove the clause on labels" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "picky", exact: true }).waitFor();
  const { body: saved } = await kept.call<{ triggers: { payload: unknown }[] }>("GET", "/automations/picky");
  expect(saved.triggers[0]?.payload).toEqual({ status: ["broken"], build: { branch: ["main"] } });
});

test("two people change one automation: the slower one sees it, loses nothing, and decides", async () => {
  const { kept, browser, desk } = shared();
  await kept.call("PUT", "/automations/both", { body: { content: listeningTo("ci", "As it was.") } });
  const other = await signedIn(browser, kept.server);
  others.push(other);
  const path = "/factories/default/automations/both/edit";
  await Promise.all([desk.page.goto(path), other.page.goto(path)]);
  await textOf(desk.page, "Prompt").fill("What the first has written.");
  await textOf(other.page, "Prompt").fill("What the second has written.");
  await desk.page.getByRole("button", { name: "Save", exact: true }).click();
  await desk.page.getByRole("heading", { level: 1, name: "both", exact: true }).waitFor();
  const conflict = other.page.getByRole("region", { name: "This file was changed by someone else" });
  await conflict.getByText("-What the first has written.").waitFor();
  await conflict.getByText("+What the second has written.").waitFor();
  await conflict.getByRole("button", { name: "Continue with mine" }).click();
  await other.page.getByRole("button", { name: "Save", exact: true }).click();
  await other.page.getByRole("heading", { level: 1, name: "both", exact: true }).waitFor();
  const { body } = await kept.call<{ prompt: string }>("GET", "/automations/both");
  expect(body.prompt).toBe("What the second has written.");
});

test("what is being written is still there after a look at another page, and gone when it is discarded", async () => {
  const { kept, desk } = shared();
  const { page } = desk;
  await kept.call("PUT", "/automations/kept", { body: { content: listeningTo("ci", "As it was.") } });
  await page.goto("/factories/default/automations/kept/edit");
  await textOf(page, "Prompt").fill("Half a tho");
  await page.getByRole("navigation").getByRole("link", { name: "Runs" }).click();
  await page.getByRole("heading", { level: 1, name: "Runs", exact: true }).waitFor();
  await page.goBack();
  await page.getByText("Not saved").waitFor();
  await textOf(page, "Prompt").getByText("Half a tho").waitFor();
  // The check moves the button when it ends, and a press that begins before would miss it.
  await page.getByText("Saving changes").waitFor();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByText("As it was.").waitFor();
});

test("the keyboard gets into the editor, indents there, is offered what can be written, and gets out again", async () => {
  const { kept, desk } = shared();
  const { page } = desk;
  await kept.call("PUT", "/automations/typed", { body: { content: listeningTo("ci") } });
  await page.goto("/factories/default/files/automations/typed/automation.md");
  const text = textOf(page, "automations/typed/automation.md");
  await text.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("mill");
  await page.getByRole("option", { name: "millrace" }).waitFor();
  await page.keyboard.type("race:");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("conc");
  await page.getByRole("option", { name: "concurrency" }).click();
  await page.keyboard.type("2");
  await page.getByText("No errors").waitFor();
  await page.getByText("Saving changes").waitFor();
  await page.getByText("then Tab leaves the editor").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  const focused = await page.evaluate("document.activeElement.textContent");
  expect(focused).not.toContain("concurrency");
  await text.press("Control+s");
  await page.getByRole("heading", { level: 1, name: "Files", exact: true }).waitFor();
  const { body } = await kept.call<{ content: string }>("GET", "/automations/typed");
  expect(body.content).toMatch(/\nmillrace:\n +concurrency: 2\n/);
});

test("a first agent comes with its factory.yaml, another is written and changed, and both are deleted where that can be", async () => {
  const { kept, webhook, desk } = shared();
  const { page } = desk;
  await page.goto("/agents");
  await page.getByRole("link", { name: "Add agent to default" }).click();
  await page.getByLabel("Agent name").fill("boss");
  await page.getByRole("region", { name: "factory.yaml" }).waitFor();
  const { y: kind } = (await page.getByLabel("Kind").boundingBox()) ?? {};
  expect((await page.getByLabel("Agent name").boundingBox())?.y).toBe(kind);
  await page.getByRole("navigation").locator("[aria-current]", { hasText: "Files" }).waitFor();
  await page.getByText("No errors").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("link", { name: "agents/boss/agent.md" }).waitFor();
  // Runs of the factory go on with the server's agent.
  await kept.call("PUT", "/automations/steady", { body: { content: listeningTo("ci") } });
  expect(await kept.deliver(webhook.url, webhook.secret)).toBe(202);
  await page.goto("/factories/default/automations/steady");
  await page.getByRole("region", { name: "Runs" }).getByText("SUCCEEDED").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Definition" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Files" }).click();
  await page.getByRole("link", { name: "agents/boss/agent.md" }).click();
  const text = textOf(page, "agents/boss/agent.md");
  await paste(text, "---\nagentType: FOREMAN\nrunner: huge\n---\nYou lead.\n");
  const problems = page.getByRole("list", { name: "Problems" });
  await problems.getByText("huge").waitFor();
  await paste(text, "---\nagentType: FOREMAN\n---\nYou lead.\n");
  await page.getByText("No errors").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Files" }).waitFor();
  const { body } = await kept.call<{ content: string }>("GET", "/files/agents/boss/agent.md");
  expect(body.content).toContain("You lead.");
  await page.getByRole("link", { name: "agents/boss/agent.md" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  // A factory cannot be without its foreman.
  await page.getByRole("dialog").getByText("The definition is not valid without it").waitFor();
  await page.getByRole("button", { name: "Go back" }).click();
  await page.goto("/factories/default/automations/report");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 would have triggered it").waitFor();
  await dialog.getByLabel("Type report to confirm").fill("report");
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("Deleted automation report.").waitFor();
  expect((await kept.call("GET", "/automations/report")).status).toBe(404);
});

test("a viewer reads the files, and is offered no editor", async () => {
  const { kept, browser } = shared();
  await kept.call("PUT", "/automations/seen", { body: { content: listeningTo("ci", "Read me.") } });
  const viewer = await signedIn(browser, kept.server, { key: await aKey(kept.server, { role: "viewer" }) });
  others.push(viewer);
  const { page } = viewer;
  await page.goto("/factories/default/automations");
  await page.getByRole("link", { name: "seen" }).click();
  await page.getByText("Read me.").waitFor();
  for (const name of ["Edit", "Delete", "Add automation"])
    expect(await page.getByText(name, { exact: true }).count()).toBe(0);
  await page.getByRole("navigation").getByRole("link", { name: "Definition" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Files" }).click();
  await page.getByRole("link", { name: "automations/seen/automation.md" }).click();
  await page.getByLabel("automations/seen/automation.md").getByText("Read me.").waitFor();
  expect(await page.getByRole("textbox").count()).toBe(0);
  await page.goto("/factories/default/automations/seen/edit");
  await page.getByText("Changing a definition requires a key with the admin role").waitFor();
});

test("what a repository defines is read, and each page says where it is changed", async () => {
  const { page } = shared().desk;
  await page.goto("/factories/acme/automations/steady");
  await page.getByText("Read-only here").waitFor();
  expect(await page.getByRole("link", { name: "Edit" }).count()).toBe(0);
  await page.goto("/agents");
  await page.getByRole("row").filter({ hasText: "acme" }).getByRole("link").first().click();
  const note = page.getByText("Read-only here");
  await note.waitFor();
  expect(await note.innerText()).toMatch(
    /agents\/\w+\/agent.md in .* and merge the change into branch main/s,
  );
  expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
  for (const path of ["automations/steady/edit", "new-automation", "new-file"]) {
    await page.goto(`/factories/acme/${path}`);
    await page.getByText("Read-only here").waitFor();
    expect(await page.getByRole("textbox").count()).toBe(0);
  }
});
