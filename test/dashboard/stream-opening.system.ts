import type { Page, Route } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { openBrowser, signedIn } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { ADMIN_KEY } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const FILES = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };
const STREAM = "**/api/v1/events";
const PAUSES = "**/api/v1/pauses?**";

const shared = sharedByFile(async () => {
  const [{ server }, browser] = await Promise.all([serving(FILES, { CI_SECRET: "t" }), openBrowser()]);
  return { server, desk: await signedIn(browser, server) };
});

afterEach(async () => {
  const { server, desk } = shared();
  await desk.page.unrouteAll();
  // The page would ask for what this changes.
  await desk.page.goto("about:blank");
  const { pauses } = await server.api<{ pauses: { id: string }[] }>("GET", "/pauses");
  for (const { id } of pauses) await unpause(id);
  expect(desk.misdeeds).toEqual([]);
});

test("a change between the load of a page and the opening of its stream is shown", async () => {
  const { page } = shared().desk;
  const stream = await hold(page, STREAM);
  await openOverview(page);
  await pause("before the stream");
  await stream.release();
  await page.getByText("before the stream").waitFor();
});

test("an answer that was under way when the stream opened is asked for again", async () => {
  const { page } = shared().desk;
  const [stream, pauses] = [await hold(page, STREAM), await hold(page, PAUSES)];
  await page.goto("/");
  const route = await pauses.reached;
  const old = await route.fetch();
  await pause("during the answer");
  const opened = page.waitForResponse(STREAM);
  await stream.release();
  await opened;
  // After the time in which the dashboard gathers events, so that it has met the answer that is under way.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await route.fulfill({ response: old });
  await page.getByText("during the answer").waitFor();
});

test("what is loaded after the opening is asked for once, and what no event changes is not asked for again", async () => {
  const { page } = shared().desk;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const times = (path: string) => asked.filter((each) => each === path).length;
  await page.goto("/secrets");
  await page.getByRole("heading", { name: "Secrets", level: 1 }).waitFor();
  await expect.poll(() => times("/api/v1/pauses")).toBe(2);
  await page.getByRole("link", { name: "Runs", exact: true }).first().click();
  await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(
    Object.fromEntries(["whoami", "secrets", "agent/runs"].map((path) => [path, times(`/api/v1/${path}`)])),
  ).toEqual({ whoami: 1, secrets: 1, "agent/runs": 1 });
  expect(times("/api/v1/pauses")).toBe(2);
});

async function openOverview(page: Page): Promise<void> {
  const loaded = page.waitForResponse(PAUSES);
  await page.goto("/");
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await (await loaded).finished();
}

/** Holds the first request to an address until it is released; later ones pass. */
async function hold(page: Page, address: string) {
  let onFirst: ((route: Route) => void) | undefined;
  const reached = new Promise<Route>((resolve) => {
    onFirst = resolve;
  });
  await page.route(address, async (route) => {
    if (!onFirst) return route.continue();
    onFirst(route);
    onFirst = undefined;
  });
  return { reached, release: async () => (await reached).continue() };
}

async function pause(reason: string): Promise<void> {
  await shared().server.api("POST", "/pauses", { reason });
}

function unpause(id: string): Promise<Response> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  return shared().server.fetch(`/api/v1/pauses/${id}`, { method: "DELETE", headers });
}
