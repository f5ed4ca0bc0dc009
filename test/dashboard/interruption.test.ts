import { expect, test } from "vitest";
import { openBrowser, signedIn } from "../given/browser.ts";
import { keeping } from "../given/kept.ts";
import { startServer } from "../given/server.ts";

const LONG_MS = 25_000;

test("a page says that it does not hear of changes, and shows what it has missed when it does again", async () => {
  const [{ server }, browser] = await Promise.all([keeping(), openBrowser()]);
  const { page } = await signedIn(browser, server);
  await page.goto("/factories/default/webhooks");
  await page.getByText("No webhook yet").waitFor();
  await server.stop();
  const note = page.getByText("The server does not tell of changes just now");
  await note.waitFor();
  // What was there can still be read.
  expect(await page.getByText("No webhook yet").count()).toBe(1);
  const again = await startServer({
    sources: [],
    dataDir: server.dataDir,
    env: { MILLRACE_LISTEN: new URL(server.url).host },
  });
  await again.api("POST", "/factories/default/webhooks", { name: "missed" });
  await note.waitFor({ state: "detached", timeout: LONG_MS });
  await page.getByRole("link", { name: "missed" }).waitFor({ timeout: LONG_MS });
});
