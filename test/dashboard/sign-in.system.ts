import { afterEach, describe, expect, test } from "vitest";
import { acmeServer, aKey, makeKey } from "../given/ask.ts";
import { openBrowser, signedIn, type Visitor, visit, watch } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { ADMIN_KEY } from "../given/server.ts";
import { AMPLE_BUDGETS } from "../given/serving.ts";
import { storyOf } from "../given/story.ts";

const shared = sharedByFile(async () => {
  const [server, browser] = await Promise.all([acmeServer({ env: AMPLE_BUDGETS }), openBrowser()]);
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "the-token");
  await story.sync();
  return { server, browser };
});

const visitors: Visitor[] = [];
const noting = (visitor: Visitor) => {
  visitors.push(visitor);
  return visitor;
};
afterEach(() => {
  for (const { misdeeds } of visitors.splice(0)) expect(misdeeds).toEqual([]);
});

test("signing in with a key leads to the requested page, and signing out works", async () => {
  const { server, browser } = shared();
  const { page } = noting(await visit(browser, server));
  await page.goto("/secrets");
  await page.getByLabel("API key").fill("mr_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  const alert = page.getByRole("alert");
  await alert.waitFor();
  expect(await alert.innerText()).toContain("The API key is unknown, expired or revoked.");
  expect(await alert.innerText()).toMatch(/Trace ID/);
  await page.getByLabel("API key").fill(ADMIN_KEY);
  await page.getByLabel("API key").press("Enter");
  await page.getByRole("heading", { level: 1, name: "Secrets" }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to millrace" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Sign in to millrace" }).waitFor();
});

test("neither the key nor the session is where scripts can read it", async () => {
  const { server, browser } = shared();
  const { page } = noting(await signedIn(browser, server));
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const readable = await page.evaluate(
    "document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })",
  );
  expect(readable).not.toContain("millrace_session");
  expect(readable).not.toContain(ADMIN_KEY);
});

test("a session that ends leaves the reader at the same address, and signing in again continues there", async () => {
  const { server, browser } = shared();
  const { id, key } = await makeKey(server, { name: "leaver", role: "operator" });
  const { page } = noting(await signedIn(browser, server, { key }));
  await page.goto("/factories/acme/webhooks");
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  await server.api("DELETE", `/api-keys/${id}`);
  await page.getByText("Your session has ended.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/factories/acme/webhooks");
  await page.getByLabel("API key").fill(ADMIN_KEY);
  await page.getByLabel("API key").press("Enter");
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
});

test("two tabs are one session: what one does the other shows, and both end together", async () => {
  const { server, browser } = shared();
  const first = noting(await signedIn(browser, server));
  const second = await first.page.context().newPage();
  noting({ page: second, misdeeds: watch(second, server) });
  await first.page.goto("/runs");
  await second.goto("/runs");
  await second.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
  await server.api("POST", "/agent/runs", { prompt: "Hello.", title: "Seen by both" });
  for (const page of [first.page, second]) await page.getByRole("link", { name: "Seen by both" }).waitFor();
  // The stream goes on in the other tab when the one that read it is closed.
  await first.page.close();
  await server.api("POST", "/agent/runs", { prompt: "Hello.", title: "Seen by who is left" });
  await second.getByRole("link", { name: "Seen by who is left" }).waitFor();
  const third = await second.context().newPage();
  await third.goto("/");
  await third.getByRole("button", { name: "Sign out" }).click();
  await second.getByRole("heading", { name: "Sign in to millrace" }).waitFor();
});

describe("what a role may not do is not offered", () => {
  test("to a viewer", async () => {
    const { server, browser } = shared();
    const { page } = noting(await signedIn(browser, server, { key: await aKey(server, { role: "viewer" }) }));
    await page.goto("/factories/acme/revisions");
    await page.getByRole("heading", { level: 1, name: "Revisions" }).waitFor();
    await page.getByRole("navigation", { name: "Definition" }).getByRole("link", { name: "Files" }).waitFor();
    expect(await page.getByRole("button", { name: "Sync now" }).count()).toBe(0);
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Settings" }).click();
    const rooms = page.getByRole("navigation", { name: "Settings" });
    await rooms.getByRole("link", { name: "Notifications" }).waitFor();
    expect(await rooms.getByRole("link", { name: "Keys" }).count()).toBe(0);
    await rooms.getByRole("link", { name: "Secrets" }).click();
    await page.getByRole("heading", { level: 1, name: "Secrets" }).waitFor();
    expect(await page.getByRole("button", { name: "Set secret" }).count()).toBe(0);
  });

  test("to an admin of one factory, what belongs to the whole server", async () => {
    const { server, browser } = shared();
    const key = await aKey(server, { role: "admin", factories: ["acme"] });
    const { page } = noting(await signedIn(browser, server, { key }));
    await page.goto("/factories/acme/revisions");
    await page.getByRole("button", { name: "Sync now" }).waitFor();
    // The secrets of its own factory are its business.
    await page.getByRole("link", { name: "Settings" }).click();
    expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
    await page.getByText("CI_SECRET", { exact: true }).waitFor();
  });
});

test("a keyboard is enough: from the first Tab to a page and back to its start", async () => {
  const { server, browser } = shared();
  const { page } = noting(await signedIn(browser, server));
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
  await page.getByRole("link", { name: "Deliveries", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Deliveries" }).waitFor();
  // Who cannot see that the page is another one is taken to it.
  expect(await page.evaluate("document.activeElement.id")).toBe("content");
});

test("how pages look is remembered by the browser", async () => {
  const { server, browser } = shared();
  const { page } = noting(await signedIn(browser, server, { colorScheme: "light" }));
  await page.goto("/");
  await page.getByLabel("Appearance").selectOption("dark");
  const scheme = () => page.evaluate("getComputedStyle(document.documentElement).colorScheme");
  expect(await scheme()).toBe("dark");
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(await scheme()).toBe("dark");
});
