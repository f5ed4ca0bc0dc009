import { expect, test } from "vitest";
import { openBrowser, signedIn } from "../given/browser.ts";
import { aWaitingFamily } from "../given/waiting-family.ts";

test("the Overview counts a run that waits for its agents apart from the runs in progress", async () => {
  const [family, browser] = await Promise.all([aWaitingFamily(["one", "two"]), openBrowser()]);
  const { wait, touch, resting, server } = family;
  await wait();
  touch("exit");
  await resting();
  const { page, misdeeds } = await signedIn(browser, server);
  await page.goto("/");
  for (const name of ["1 in progress", "1 waiting", "1 waiting for agents"])
    await page.getByRole("link", { name, exact: true }).waitFor();
  for (const name of ["one", "two"]) touch(name);
  expect(misdeeds).toEqual([]);
});
