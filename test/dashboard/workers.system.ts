import { describe, expect, test } from "vitest";
import type { Models } from "../../src/client/client.ts";
import { aKey, ask } from "../given/ask.ts";
import { overflow, SCREENS, violations, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { twoFactories } from "../given/serving.ts";
import { doorClient, seenProcess } from "../given/workers.ts";

const shared = sharedByFile(async () => {
  const { server } = await twoFactories();
  const create = async (body: Models["NewWorker"]) =>
    (await ask<Models["CreatedWorker"]>(server, "POST", "/workers", { body })).body;
  const { token } = await create({
    name: "a-worker-with-a-long-name",
    labels: ["gpu", "eu"],
    factories: ["acme"],
  });
  await seenProcess(server, token, { uid: "one", executing: 2 });
  await seenProcess(server, token, { uid: "two", executing: 1 });
  await create({ name: "never-seen" });
  const prompt = "Tidy up the shop and write down what you have done";
  const config = { worker_host: "a-worker-with-a-long-name" };
  const title = "Tidy up the shop";
  const { run_id } = (
    await ask<{ run_id: string }>(server, "POST", "/agent/runs", {
      body: { prompt, title, config, factory: "acme" },
    })
  ).body;
  await (await doorClient(server, { token, facts: { executing: 0 } })).claim();
  return { server, create, run_id };
});

const signIn = visitorsTo(shared);

async function opened(viewport = { width: 1440, height: 900 }, key?: string) {
  const page = await signIn({ path: "/workers", viewport, ...(key ? { key } : {}) });
  await page.getByRole("table", { name: "Workers" }).waitFor();
  return page;
}

describe.each(SCREENS)("at $name", ({ viewport, colorScheme }) => {
  test("the page of workers shows how each stands, and what it does", async () => {
    const page = await opened(viewport);
    await page.emulateMedia({ colorScheme });
    const row = page.getByRole("row").filter({ hasText: "a-worker-with-a-long-name" });
    for (const text of ["Connected", "3 of 12", "Labels: eu, gpu", "only acme", "3 processes"])
      await row.getByText(text).waitFor();
    const run = row.getByRole("link", { name: "Tidy up the shop" });
    expect(await run.getAttribute("href")).toBe(`/runs/${shared().run_id}`);
    const other = page.getByRole("row").filter({ hasText: "never-seen" });
    await other.getByText("Offline").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
});

test("a worker is made, its token is shown once with the command that uses it, and it is drained and revoked", async () => {
  const { server } = shared();
  const page = await opened();
  await page.getByRole("button", { name: "Create worker" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("builder");
  await dialog.getByLabel(/^Labels/).fill("Not valid!");
  await dialog.getByRole("button", { name: "Create worker" }).click();
  await dialog.getByRole("alert").getByText("lower-case letters").waitFor();
  await dialog.getByLabel(/^Labels/).fill("arm, eu");
  await dialog.getByLabel("other").check();
  await dialog.getByRole("button", { name: "Create worker" }).click();
  await page.getByText("it is not stored and will not be shown again").waitFor();
  const [token = "", command = ""] = await dialog.locator("pre").allInnerTexts();
  expect(token).toMatch(/^mrw_\w{40}$/);
  expect(command).toBe(`millrace worker --server ${server.url} --token-file FILE`);
  expect(await violations(page)).toEqual([]);
  // A slip does not lose it.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "I have copied it" }).click();
  expect(await page.content()).not.toContain(token);

  await seenProcess(server, token);
  const row = page.getByRole("row").filter({ hasText: "builder" });
  await row.getByText("Connected").waitFor();
  await page.getByRole("button", { name: "Drain builder" }).click();
  await page.getByRole("button", { name: "Drain worker" }).click();
  await row.getByText("Draining").waitFor();
  await page.getByRole("button", { name: "End drain of builder" }).click();
  await page.getByText("Worker builder gets turns again.").waitFor();
  await page.getByRole("button", { name: "Revoke builder" }).click();
  await page.getByRole("dialog").getByText("1 connected process").waitFor();
  await page.getByRole("button", { name: "Revoke worker" }).click();
  await page.getByText("Revoked the worker.").waitFor();
  await row.waitFor({ state: "detached" });
  await page.goto("/audit-log");
  await page.getByRole("row").filter({ hasText: "revokeWorker" }).getByRole("link").first().waitFor();
});

test("a viewer sees the workers and no button, and a key of one factory no such page", async () => {
  const { server } = shared();
  const page = await opened(undefined, await aKey(server, { role: "viewer" }));
  for (const name of [/^Drain/, /^Revoke/, "Create worker"])
    expect(await page.getByRole("button", { name }).count()).toBe(0);
  const bound = await signIn({
    key: await aKey(server, { role: "admin", factories: ["acme"] }),
  });
  await bound.goto("/runs");
  await bound.getByRole("link", { name: "Settings", exact: true }).click();
  await bound.getByRole("link", { name: "Notifications" }).waitFor();
  expect(await bound.getByRole("link", { name: "Workers" }).count()).toBe(0);
});
