import { expect, test } from "vitest";
import { aKey } from "../given/ask.ts";
import { openBrowser, signedIn, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { listeningTo, managedBy } from "../given/managed.ts";
import { type Server, startServer, waitFor } from "../given/server.ts";
import { serving } from "../given/serving.ts";
import { storyOf } from "../given/story.ts";

const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };

const shared = sharedByFile(async () => {
  const [world, browser] = await Promise.all([serving(files, { CI_SECRET: "x" }), openBrowser()]);
  return { ...world, browser, desk: await signedIn(browser, world.server) };
});

test("a run that has ended is deleted after a confirmation that lists what goes with it", async () => {
  const { server, story, desk } = shared();
  const { page } = desk;
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
    prompt: "x",
    title: "To be deleted",
  });
  await story.ended(run_id);
  await page.goto(`/runs/${run_id}`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("with its transcript, timeline, messages, attachments and workspace").waitFor();
  await dialog.getByRole("button", { name: "Delete run" }).click();
  await page.getByText("Deleted the run.").waitFor();
  await page.waitForURL("**/runs");
  expect(await page.getByText("To be deleted").count()).toBe(0);
  expect((await story.runs()).map((run) => run.run_id)).not.toContain(run_id);
  expect(desk.misdeeds).toEqual([]);
});

test("the deliveries of a webhook are deleted after its name is typed, and its open page is empty then", async () => {
  const { story, desk } = shared();
  const { page } = desk;
  const { url, uid } = await story.webhook("ci");
  await story.endedRunOf(await story.accept(url, "x", '{"n":1}'));
  await page.goto(`/factories/acme/webhooks/${uid}`);
  await page.getByRole("button", { name: "Delete deliveries" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("This deletes 1 delivery").waitFor();
  const action = dialog.getByRole("button", { name: "Delete deliveries" });
  expect(await action.isDisabled()).toBe(true);
  await dialog.getByLabel("Type ci to confirm").fill("ci");
  await action.click();
  await page.getByText("Deleted 1 delivery.").waitFor();
  expect(await story.deliveries(uid)).toEqual([]);
  expect(desk.misdeeds).toEqual([]);
});

test("who is no admin is offered no deletion", async () => {
  const { server, story, browser } = shared();
  const { key } = await server.api<{ key: string }>("POST", "/api-keys", { name: "o", role: "operator" });
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "x" });
  await story.ended(run_id);
  const { page } = await signedIn(browser, server, { key });
  await page.goto(`/runs/${run_id}`);
  await page.getByRole("button", { name: "Run again" }).waitFor();
  expect(await page.getByRole("button", { name: "Delete", exact: true }).count()).toBe(0);
});

const namesOn = async (server: Server) =>
  (await server.api<{ factories: { name: string }[] }>("GET", "/factories")).factories.map(
    ({ name }) => name,
  );

/** A server with the factory "acme" of a folder, and "old", which it keeps itself. */
const withOld = sharedByFile(async () => {
  const server = await startServer({ sources: [folderWith(FACTORY)] });
  await storyOf(server).sync();
  await server.api("POST", "/factories", { name: "old" });
  const old = managedBy(server, "old");
  const { url } = await old.create({ name: "ci" });
  await old.call("PUT", "/automations/report", { body: { content: listeningTo("ci") } });
  return { server, url };
});
const visitOld = visitorsTo(withOld);

test("the command that saves a definition can be copied, whatever the factory is called", async () => {
  await withOld().server.api("POST", "/factories", { name: "our old one" });
  const page = await visitOld({ path: "/factories/our%20old%20one/revisions" });
  await page.getByRole("button", { name: "Delete our old one" }).click();
  await page.getByRole("dialog").getByText("millrace export 'our old one'", { exact: true }).waitFor();
  await withOld().server.api("DELETE", "/factories/our%20old%20one");
});

test("a factory named by the settings is not deleted, and the dialog says why; only admins have the button", async () => {
  const page = await visitOld({ path: "/factories/acme/revisions" });
  await page.getByRole("button", { name: "Delete acme" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("the next start would create it again").waitFor();
  expect(await dialog.getByRole("button", { name: "Delete factory" }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Close" }).click();
  const key = await aKey(withOld().server, { role: "operator" });
  const operator = await visitOld({ path: "/factories/old/revisions", key });
  await operator.getByRole("button", { name: "Sync now" }).waitFor();
  expect(await operator.getByRole("button", { name: "Delete old" }).count()).toBe(0);
});

test("an admin deletes a factory where its revisions are, after what goes was shown and its name was typed", async () => {
  const { server, url } = withOld();
  const page = await visitOld({ path: "/factories/old/revisions" });
  await page.getByRole("button", { name: "Delete old" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(`${url} will return 404`).waitFor();
  await dialog.getByText("Automation report").waitFor();
  await dialog.getByText("millrace export old").waitFor();
  const confirm = dialog.getByRole("button", { name: "Delete factory" });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel("Type old to confirm").fill("acme");
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel("Type old to confirm").fill("old");
  await confirm.click();
  await page.getByText("Deleted factory old.").waitFor();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  expect(await namesOn(server)).toEqual(["acme"]);
});

test("a factory that no source serves stands on the first page, and is deleted there", async () => {
  const dataDir = `${temporaryFolder()}/data`;
  const first = await startServer({
    sources: [folderWith({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK })],
    dataDir,
  });
  await storyOf(first).setSecret("CI_SECRET", "the-token-of-the-ci-webhook");
  await storyOf(first).sync();
  await first.stop();
  const other = String(FACTORY["factory.yaml"]).replace("acme", "other");
  const sources = [folderWith({ ...FACTORY, "factory.yaml": other })];
  const [server, browser] = await Promise.all([startServer({ sources, dataDir }), openBrowser()]);
  await waitFor(async () => (await server.fetch("/readyz")).status === 200);
  const { page, misdeeds } = await signedIn(browser, server);
  await page.goto("/");
  const table = page.getByRole("table", { name: "Factories without a source" });
  await table.getByText("1 webhook returns 404").waitFor();
  await table.getByRole("button", { name: "Delete acme" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Type acme to confirm").fill("acme");
  await dialog.getByRole("button", { name: "Delete factory" }).click();
  await page.getByText("Deleted factory acme.").waitFor();
  await table.waitFor({ state: "detached" });
  expect(misdeeds).toEqual([]);
});
