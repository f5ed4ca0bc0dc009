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
  const answer = page.getByRole("region", { name: "Conversation" });
  await answer.getByText("Done.", { exact: true }).waitFor();
  const factOf = (name: string) =>
    page.locator("dt", { hasText: name }).locator("xpath=following-sibling::dd[1]").innerText();
  expect(await factOf("Tokens (opus)")).toBe("15 in (10 cached), 2 out");
  expect(await factOf("Cost")).toBe("$0.2500");
  await page.getByRole("region", { name: "Artifacts" }).getByText("No artifacts.").waitFor();
  expect(misdeeds).toEqual([]);
});
