import { expect, test } from "vitest";
import { openBrowser, signedIn } from "../given/browser.ts";
import { serveManaged } from "../given/managed.ts";
import { startServer } from "../given/server.ts";

const LONG_MS = 25_000;

test("a page says that live updates are disconnected, and shows what it missed when they reconnect", async () => {
  const [{ server }, browser] = await Promise.all([serveManaged(), openBrowser()]);
  const { page } = await signedIn(browser, server);
  await page.goto("/factories/default/webhooks");
  await page.getByText("No webhooks yet").waitFor();
  await server.stop();
  const note = page.getByText("Live updates are disconnected");
  await note.waitFor();
  // What was there can still be read.
  expect(await page.getByText("No webhooks yet").count()).toBe(1);
  const again = await startServer({
    sources: [],
    dataDir: server.dataDir,
    env: { MILLRACE_LISTEN: new URL(server.url).host },
  });
  await again.api("POST", "/factories/default/webhooks", { name: "missed" });
  await note.waitFor({ state: "detached", timeout: LONG_MS });
  await page.getByRole("link", { name: "missed" }).waitFor({ timeout: LONG_MS });
});
