import { expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { openBrowser, signedIn } from "../given/browser.ts";
import { TELLS_USAGE, tellingHarness } from "../given/telling-harness.ts";

test("the page of a run shows what its agent answered, and what its models were used for and cost", async () => {
  const [{ run, server }, browser] = await Promise.all([
    serverWithAgent("", { args: tellingHarness("claude", TELLS_USAGE) }),
    openBrowser(),
  ]);
  const { run_id } = await run({ config: { harness: { type: "told" } } });
  const { page, misdeeds } = await signedIn(browser, server);
  await page.goto(`/runs/${run_id}`);
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.getByText("Done.", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "About" }).click();
  const factOf = (name: string) =>
    page.locator("dt", { hasText: name }).locator("xpath=following-sibling::dd[1]").innerText();
  expect(await factOf("Tokens (opus)")).toBe("15 in (10 cached), 2 out");
  expect(await factOf("Cost")).toBe("$0.2500");
  expect(misdeeds).toEqual([]);
});

test("a family shows what each of its runs has cost, and all of them together", async () => {
  const [{ run, server }, browser] = await Promise.all([
    serverWithAgent("process.exit(3)", { args: tellingHarness("claude", TELLS_USAGE) }),
    openBrowser(),
  ]);
  const told = { config: { harness: { type: "told" } } };
  const root = await run({ ...told, title: "Hand it out" });
  await run({ ...told, title: "Implement it", parent_run_id: root.run_id });
  await run({ title: "Review it", parent_run_id: root.run_id });
  const { page, misdeeds } = await signedIn(browser, server);
  await page.goto(`/runs/${root.run_id}`);
  await page.getByText("3 runs · all ended · $0.50").waitFor();
  const rows = page.getByRole("region", { name: "Runs of the family" }).getByRole("listitem");
  await rows.filter({ hasText: "Implement it" }).getByText("$0.25").last().waitFor();
  const failed = rows.filter({ hasText: "Review it" }).last();
  await failed.getByText("FAILED").waitFor();
  expect(await failed.getByText("$").count()).toBe(0);
  expect(misdeeds).toEqual([]);
});
