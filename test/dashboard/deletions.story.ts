import { expect, test } from "vitest";
import { openBrowser, signedIn } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { serving } from "../given/serving.ts";

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
