import { afterEach, expect, test } from "vitest";
import { openBrowser, signedIn } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { serving } from "../given/serving.ts";

const FILES = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };

const shared = sharedByFile(async () => {
  const [{ server }, browser] = await Promise.all([serving(FILES, { CI_SECRET: "t" }), openBrowser()]);
  return { server, desk: await signedIn(browser, server) };
});

afterEach(() => {
  expect(shared().desk.misdeeds).toEqual([]);
});

test("an automation is paused from its page, which every page says until it is unpaused", async () => {
  const { server, desk } = shared();
  const { page } = desk;
  await page.goto("/factories/acme/automations/a");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByLabel("Reason").fill("too many tickets");
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await page.getByText("Runs of the automation a of acme were paused").waitFor();
  expect(await page.getByRole("button", { name: "Pause", exact: true }).count()).toBe(0);
  expect(await server.api("GET", "/pauses")).toMatchObject({
    pauses: [{ automation: "a", reason: "too many tickets" }],
  });
  await page.goto("/runs");
  await page.getByText("too many tickets").waitFor();
  await page.getByRole("button", { name: "Unpause the automation a of acme" }).click();
  await page.getByText("too many tickets").waitFor({ state: "detached" });
  expect(await server.api("GET", "/pauses")).toMatchObject({ pauses: [] });
});

test("a pause that someone else creates appears on an open page, and disappears when it ends", async () => {
  const { server, desk } = shared();
  const { page } = desk;
  await page.goto("/");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const { id } = await server.api<{ id: string }>("POST", "/pauses", { reason: "deploying" });
  await page.getByText("Runs of the server were paused").waitFor();
  expect(await page.getByRole("button", { name: "Pause the server", exact: true }).count()).toBe(0);
  await server.fetch(`/api/v1/pauses/${id}`, {
    method: "DELETE",
    headers: { authorization: "Bearer test-admin-key-0123456789" },
  });
  await page.getByText("Runs of the server were paused").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Pause the server", exact: true }).waitFor();
});
