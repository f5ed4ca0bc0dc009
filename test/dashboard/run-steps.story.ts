import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { overflow, violations } from "../given/accessibility.ts";
import { serverWithAgent } from "../given/agent.ts";
import { openBrowser, signedIn } from "../given/browser.ts";
import { tellingHarness } from "../given/telling-harness.ts";

/** Writes what claude writes while it works, and what it would not. */
const WORKS = `
  const say = (event) => console.log(JSON.stringify(event));
  const said = (...content) => say({ type: "assistant", message: { content } });
  const answered = (id, content, is_error) =>
    say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content, is_error }] } });
  said({ type: "thinking", thinking: "A secret thought" }, { type: "text", text: "I **look** at [it](https://a.example) <b>now</b>." });
  said({ type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } });
  answered("t1", "\\u001b[32mall passed\\u001b[0m");
  said({ type: "tool_use", id: "t2", name: "<img src=x>", input: { path: "a", text: "b" } });
  answered("t2", "no such file", true);
  said({ type: "tool_use", id: {}, name: ["forged"], input: null }, null, { type: "text", text: { forged: true } });
  console.log("no event");
  console.error("a warning of the program");
  say({ type: "result", subtype: "success", result: "Done.", total_cost_usd: 0.25, duration_ms: 61_000, usage: { input_tokens: 1_200 } });`;

test("the work of a harness is shown in steps, folded, with its cost at the end, and the text beside it", async () => {
  const [{ run, server }, browser] = await Promise.all([
    serverWithAgent("", { args: tellingHarness("claude", WORKS) }),
    openBrowser(),
  ]);
  const { run_id } = await run({ config: { harness: { type: "told" } } });
  const { page, misdeeds } = await signedIn(browser, server, { viewport: { width: 1440, height: 900 } });
  await page.goto(`/runs/${run_id}`);
  const steps = page.getByRole("log", { name: "Steps" });
  await steps.getByText("look", { exact: true }).waitFor();
  expect(await steps.innerText()).toContain("<b>now</b>");
  expect(await steps.getByRole("link").getAttribute("rel")).toBe("noopener noreferrer");
  // Folded: thoughts, inputs and results.
  expect(await steps.getByText("A secret thought").nth(1).isVisible()).toBe(false);
  expect(await steps.getByText("all passed").isVisible()).toBe(false);
  await steps.getByText("Bash", { exact: true }).click();
  await steps.getByText("all passed").waitFor();
  await steps.getByText("<img src=x>", { exact: true }).waitFor();
  // Of the input of a call, its title has what it is about.
  expect(await steps.locator("summary", { hasText: "<img src=x>" }).innerText()).toMatch(
    /<img src=x>\s+a\s*$/,
  );
  await steps.getByText("failed", { exact: true }).waitFor();
  await steps.getByText("1 min 1 s · 1,200 tokens · $0.2500").waitFor();
  for (const text of ["no event", "a warning of the program", '["forged"]'])
    await steps.getByText(text).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page)).toEqual([]);
    if (process.env.SCREENSHOTS) {
      mkdirSync("screenshots", { recursive: true });
      await page.screenshot({ path: `screenshots/run-steps-desk-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.getByLabel("Search the transcript").fill("such file");
  await page.getByText("1 of 1").waitFor();
  await page.getByLabel("Search the transcript").fill("");
  await page.getByText("1 failed step", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Next failed step" }).click();
  await page.getByText("1 of 1").waitFor();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await page.getByRole("log", { name: "Transcript" }).getByText("> Bash").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Transcript", exact: true }).click();
  await page.getByRole("button", { name: "Steps", exact: true }).click();
  await steps.getByText("look", { exact: true }).waitFor();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  expect(misdeeds).toEqual([]);
}, 90_000);
