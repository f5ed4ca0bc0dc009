import { expect, test } from "vitest";
import { openBrowser, picture, signedIn, violations } from "../given/browser.ts";
import { withFactoryLines } from "../given/definition.ts";
import { serverWithSandbox } from "../given/isolated.ts";
import { freePort } from "../given/port.ts";

/** Asks its proxy for each of these URLs. */
const asking = (...urls: string[]) => `
  import { get } from "node:http";
  for (const path of ${JSON.stringify(urls)})
    await new Promise((done) => {
      const headers = { host: new URL(path).host };
      get({ port: 3128, path, headers }, (answer) => answer.resume().on("end", done)).on("error", done);
    });`;

test("the page of a run lists the hosts that it reached, and those that it was refused, with the reason", async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  const network = { allow: [listen, "localhost"] };
  const urls = [
    `http://${listen}/healthz`,
    `http://${listen}/readyz`,
    "http://example.com/",
    "http://localhost/",
  ];
  const { server, run } = await serverWithSandbox("bwrap", asking(...urls), {
    files: withFactoryLines(`millrace: { repositories: optional, network: ${JSON.stringify(network)} }\n`),
    env: { MILLRACE_LISTEN: listen },
  });
  const { run_id } = await run();
  const browser = await openBrowser();
  const { page } = await signedIn(browser, server);
  await page.goto(`/runs/${run_id}?tab=details`);
  await page.locator("summary", { hasText: "Network" }).click();
  const rows = await page.getByRole("table", { name: "Hosts" }).getByRole("row").allInnerTexts();
  expect(rows.map((row) => row.split(/\s*\t\s*/))).toEqual([
    ["Host", "Requests", "Result"],
    [listen, "2", "Reached"],
    ["example.com:80", "1", "Refused: Not in the allowlist"],
    ["localhost:80", "1", "Refused: A private address that the allowlist does not name"],
  ]);
  expect(await violations(page)).toEqual([]);
  await picture(page, "run-network");
});
