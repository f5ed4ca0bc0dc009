import { describe, expect, test } from "vitest";
import type { Models } from "../../src/client/client.ts";
import { aKey } from "../given/ask.ts";
import { overflow, picture, SCREENS, violations, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { twoFactories } from "../given/serving.ts";

const shared = sharedByFile(async () => {
  const { server } = await twoFactories();
  return { server };
});

const visitor = visitorsTo(shared);

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

const aServer = (name: string, changes: Partial<Models["Server"]>): Models["Server"] => ({
  uid: name,
  name,
  version: "1.2.3",
  status: "connected",
  is_leader: false,
  is_this: false,
  executing: 0,
  concurrency: 4,
  started_at: secondsAgo(3_600),
  last_seen_at: secondsAgo(0),
  ...changes,
});

/** As a server with PostgreSQL answers. */
const SEVERAL = {
  servers: [
    aServer("one.example.com", { is_leader: true, executing: 3 }),
    aServer("three-with-a-rather-long-name.eu-central.example.com", {
      status: "away",
      executing: 1,
      last_seen_at: secondsAgo(300),
    }),
    aServer("two.example.com", { is_this: true, executing: 1 }),
  ],
  page_info: { has_next_page: false },
};

describe.each(SCREENS)("at $name", ({ name, viewport, colorScheme }) => {
  test("the page of servers shows which one leads, which one is away, and what each does", async () => {
    const page = await visitor({ viewport });
    await page.emulateMedia({ colorScheme });
    await page.route("**/api/v1/servers?*", (route) => route.fulfill({ json: SEVERAL }));
    await page.goto("/servers");
    await page.getByText("These servers share one PostgreSQL database.").waitFor();
    const row = (text: string) => page.getByRole("row").filter({ hasText: text });
    for (const text of ["Connected", "Leader", "3 of 4"])
      await row("one.example.com").getByText(text).waitFor();
    await row("three-with").getByText("Away").waitFor();
    expect(await row("three-with").getByText("1 of 4").count()).toBe(0);
    await row("two.example.com").getByText("Responds to this page").waitFor();
    expect(await page.getByText("Leader", { exact: true }).count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await picture(page, `servers-several-${name.replaceAll(" ", "-")}`);
  });
});

test("the only server says so, and leads to the page about several servers", async () => {
  const page = await visitor({ path: "/", key: await aKey(shared().server, { role: "viewer" }) });
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Servers", exact: true }).click();
  await page.getByText("This is the only server.").waitFor();
  const link = page.getByRole("link", { name: "Several servers" });
  const answer = await page.request.get(new URL((await link.getAttribute("href")) ?? "", page.url()).href);
  expect([answer.status(), await answer.text()]).toEqual([200, expect.stringContaining("Several servers")]);
});

test("a key of one factory sees no such page", async () => {
  const page = await visitor({
    path: "/runs",
    key: await aKey(shared().server, { role: "admin", factories: ["acme"] }),
  });
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Notifications" }).waitFor();
  expect(await page.getByRole("link", { name: "Servers" }).count()).toBe(0);
});
