import { expect, test } from "vitest";
import { openBrowser, visit } from "../given/browser.ts";
import { listeningTo, serveManaged } from "../given/managed.ts";
import { freePort } from "../given/port.ts";
import { pathProxy } from "../given/proxies.ts";
import { ADMIN_KEY } from "../given/server.ts";

test("a public URL with a path leads to all pages, files and streams below it, and to nothing outside it", async () => {
  const port = await freePort();
  const [proxy, browser] = await Promise.all([pathProxy("/tools/mill", port), openBrowser()]);
  const kept = await serveManaged({
    agent: 'console.log("It has been done.")',
    env: { MILLRACE_LISTEN: `127.0.0.1:${port}`, MILLRACE_PUBLIC_URL: proxy.url },
    reachedAt: `http://127.0.0.1:${port}`,
  });
  await kept.server.api("POST", "/factories", { name: "other" });
  const { page, misdeeds } = await visit(browser, { ...kept.server, url: proxy.url });
  await page.goto(`${proxy.url}/factories/default/webhooks`);
  await page.getByLabel("API key").fill(ADMIN_KEY);
  await page.getByLabel("API key").press("Enter");
  await page.getByText("No webhooks yet").waitFor();
  // What comes is heard of here too.
  const { uid, url, secret } = await kept.create({ name: "ci" });
  expect(url).toContain(`${proxy.url}/webhooks/w/`);
  await page.getByRole("link", { name: "ci", exact: true }).click();
  await page.waitForURL(`${proxy.url}/factories/default/webhooks/${uid}`);
  await kept.call("PUT", "/automations/answer", { body: { content: listeningTo("ci") } });
  expect(await kept.deliver(url, secret, '{"n":1}')).toBe(202);
  expect(await kept.deliver(url, secret, '{"n":1}')).toBe(202);
  const duplicate = page.getByRole("row").filter({ hasText: "Duplicate" });
  await duplicate.getByRole("button", { name: /^Open delivery/ }).click();
  await page.getByRole("link", { name: /^[0-9a-f-]{36}$/ }).click();
  // The original opens at the same page.
  await page.getByText("Payload", { exact: true }).waitFor();
  await page.getByRole("link", { name: /^[0-9a-f-]{36}$/ }).click();
  await page.waitForURL(`${proxy.url}/runs/*`);
  await page.getByText("It has been done.").first().waitFor();
  await page.getByRole("tab", { name: "Trace" }).click();
  const href = await page.getByRole("link", { name: "Download" }).getAttribute("href");
  expect(href).toMatch(/^\/tools\/mill\/api\/v1\//);
  await page.reload();
  await page.getByText("It has been done.").first().waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Definition" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("button", { name: /^Factory default/ }).click();
  await page.getByRole("menuitem", { name: /other/ }).click();
  await page.waitForURL(`${proxy.url}/factories/other/webhooks`);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to millrace" }).waitFor();
  expect(misdeeds).toEqual([]);
});
