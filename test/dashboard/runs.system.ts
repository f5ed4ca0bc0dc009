import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { openBrowser, signedIn } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { waitFor } from "../given/server.ts";
import { workingMill } from "../given/working-mill.ts";

/** More than a list loads at once, and more than three pages of it. */
const MANY = 320;

/** What a page has and these tests do not. */
interface Styled {
  getComputedStyle(element: unknown): { color: string };
}

const shared = sharedByFile(async () => {
  const [mill, browser] = await Promise.all([workingMill(), openBrowser()]);
  return { mill, desk: await signedIn(browser, mill.server, { acceptDownloads: true }) };
});

afterEach(() => {
  expect(shared().desk.misdeeds).toEqual([]);
});

test("a run is watched while it works, gets a message, and is cancelled", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  const body = { title: "Stay a while", prompt: "Stay." };
  const { run_id } = await mill.server.api<{ run_id: string }>("POST", "/agent/runs", body);
  await page.goto(`/runs/${run_id}`);
  await page.getByText("Running").first().waitFor();
  await page.getByText("step 3 done").waitFor();
  // More comes while it is looked at, and the last line stays in view.
  await page.getByText("step 40 done").waitFor();
  await page.getByRole("tab", { name: "Conversation" }).click();
  await page.getByLabel("Message").fill("Look at the other test too.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("The agent receives the message with its next turn.").waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("button", { name: "Cancel run" }).click();
  await page.getByText("CANCELLED").first().waitFor();
  await page.getByRole("button", { name: "Run again" }).waitFor();
  expect((await mill.story.run(run_id)).state).toBe("CANCELLED");
});

test("a run is started by hand, by the agent that is chosen", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  await page.goto("/runs");
  await page.getByRole("button", { name: "Start run" }).click();
  await page.getByLabel("Prompt").fill("Say hello.");
  await page.getByLabel("Title").fill("By hand");
  await page.getByLabel("Agent").selectOption({ label: "boss of acme" });
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "By hand" }).waitFor();
  await page.getByText("SUCCEEDED").first().waitFor();
  const run = await mill.story.run(new URL(page.url()).pathname.split("/").at(-1) ?? "");
  expect(run.factory_uid).toBe((await mill.server.api("GET", "/factories/acme")).uid);
});

test("an agent that asks is answered, and continues", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  await page.goto("/");
  await page
    .getByRole("region", { name: "Needs attention" })
    .getByRole("link", { name: "Drop the unused column" })
    .click();
  await page.getByText("The migration drops a column that has data. Shall I go on?").waitFor();
  await page.getByLabel("Your answer").fill("Yes, it is backed up.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("tab", { name: "Trace" }).click();
  await page.getByText("[millrace: turn 2]").waitFor();
  await page.getByText("SUCCEEDED").first().waitFor();
  expect((await mill.story.run(mill.runs.blocked.run_id)).state).toBe("SUCCEEDED");
});

describe("a transcript", () => {
  test("is searched and downloaded, in the colours of a terminal", async () => {
    const { mill, desk } = shared();
    const { page } = desk;
    await page.goto(`/runs/${mill.runs.done.run_id}?tab=trace`);
    await page.getByLabel("Search the transcript").fill("cart.test");
    await page.getByText("1 of 1").waitFor();
    expect(await page.locator("mark").innerText()).toBe("cart.test");
    const link = page.getByRole("link", { name: "Download" });
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(download.suggestedFilename()).toBe(`${mill.runs.done.run_id}.txt`);
    // Nothing of the terminal's language is left to see.
    expect(await page.getByRole("log").innerText()).not.toContain("[3");
  });

  test("keeps a colour over several lines, and has all the colours that there are", async () => {
    const { mill, desk } = shared();
    const { page } = desk;
    await page.goto(`/runs/${mill.runs.done.run_id}?tab=trace`);
    const colourOf = (text: string) =>
      page
        .getByRole("log")
        .getByText(text, { exact: true })
        .evaluate((part) => (globalThis as unknown as Styled).getComputedStyle(part).color);
    const red = await colourOf("red over");
    expect(await colourOf("two lines")).toBe(red);
    expect(await colourOf(" and ")).not.toBe(red);
    // Orange, as dark as it has to be on white.
    expect(await colourOf("orange")).toMatch(/^oklch\(0\.5 /);
  });

  test("in a hidden tab closes its stream, and is complete when it is shown again", async () => {
    const { mill, desk } = shared();
    const { page } = desk;
    const { run_id } = await mill.server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Stay." });
    const streams: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes(`${run_id}/transcript`)) streams.push(request.url());
    });
    const ended = page.waitForEvent("requestfailed", (request) =>
      request.url().includes(`${run_id}/transcript`),
    );
    await page.goto(`/runs/${run_id}?tab=trace`);
    await page.getByText("step 3 done").waitFor();
    await seen(page, false);
    await ended;
    await seen(page, true);
    await page.getByText("step 30 done").waitFor();
    expect(await page.getByText("step 3 done", { exact: true }).count()).toBe(1);
    expect(streams).toHaveLength(2);
    await mill.server.api("POST", `/agent/runs/${run_id}/cancel`);
  });

  test("that is long has only what is in view in the page", async () => {
    const { mill, desk } = shared();
    const { page } = desk;
    const { run_id } = await mill.server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Count." });
    await mill.story.ended(run_id);
    await page.goto(`/runs/${run_id}?tab=trace`);
    await page.getByText("line 1", { exact: true }).waitFor();
    expect(await page.getByRole("log").locator("[data-index]").count()).toBeLessThan(200);
    await page.getByLabel("Search the transcript").fill("line 29999");
    await page.getByText("line 29999", { exact: true }).waitFor();
  });
});

/** Puts the tab of a page before or behind another one: Chromium without a window has no other tab to choose. */
function seen(page: Page, isSeen: boolean): Promise<unknown> {
  return page.evaluate(`
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "${isSeen ? "visible" : "hidden"}" });
    document.dispatchEvent(new Event("visibilitychange"));`);
}

test("the files of a run can be downloaded, and failed runs say why", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  await page.goto(`/runs/${mill.runs.done.run_id}`);
  await page.getByRole("region", { name: "Result" }).getByText("report.md", { exact: true }).last().click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("report.md");
  await page.goto(`/runs/${mill.runs.failed.run_id}`);
  await page.getByText("agent_process_failed").waitFor();
  await page.getByRole("button", { name: "Run again" }).click();
  const dialog = page.getByRole("dialog", { name: "Run again?" });
  await dialog.getByText("recorded prompt and configuration").waitFor();
  await dialog.getByRole("button", { name: "Start run" }).click();
  await page.getByText("Started a new run.").waitFor();
  await waitFor(() => (page.url().endsWith(mill.runs.failed.run_id) ? undefined : true));
  // Each of the two leads to the other.
  await page.getByRole("link", { name: "another run" }).click();
  await page.waitForURL(`**/runs/${mill.runs.failed.run_id}`);
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByRole("link", { name: /^(Failed|Queued|Claimed|Running)$/ }).waitFor();
});

test("filters are in the address, which shows the same to anyone who opens it", async () => {
  const { page } = shared().desk;
  await page.goto("/runs");
  await page.getByRole("link", { name: "Mend the failing cart test" }).waitFor();
  await page.getByRole("button", { name: "State", exact: true }).click();
  await page.getByRole("option", { name: "FAILED" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Mend the failing cart test" }).waitFor({ state: "detached" });
  await page.getByLabel("Search", { exact: true }).fill("compiler");
  await page.waitForURL("**/runs?state=FAILED&q=compiler");
  await page.reload();
  await page.getByRole("link", { name: "Upgrade the compiler" }).first().waitFor();
  expect(await page.getByRole("link", { name: "Mend the failing cart test" }).count()).toBe(0);
  await page.goto("/runs?created_after=nonsense");
  await page.getByRole("alert").getByText("created_after").waitFor();
  await page.getByRole("button", { name: "Clear all" }).click();
  await page.getByRole("link", { name: "Mend the failing cart test" }).waitFor();
});

test("a list of any length has only the rows in view in the page, and stands still when something comes", async () => {
  const { mill, desk } = shared();
  const { page } = desk;
  const queue = (n: number) =>
    mill.server.api("POST", "/agent/runs", { prompt: "Queue.", title: `number ${n}` });
  // Those that are looked at stand in their order; of the others none has to wait for another.
  const [first, ordered] = [0, MANY - 40];
  await queue(first);
  for (let n = first + 1; n < ordered; n += 9)
    await Promise.all(Array.from({ length: Math.min(9, ordered - n) }, (_, more) => queue(n + more)));
  for (let n = ordered; n < MANY; n += 1) await queue(n);
  await page.goto("/runs?q=number");
  await page.getByRole("link", { name: `number ${MANY - 1}`, exact: true }).waitFor();
  // One page after the other is loaded on the way down.
  const last = page.getByRole("link", { name: "number 0", exact: true });
  await waitFor(async () => {
    await page.mouse.wheel(0, 4_000);
    return (await last.count()) > 0 || undefined;
  });
  expect(await page.getByRole("row").count()).toBeLessThan(80);
  // All of it is loaded, and what comes now is still heard of.
  await mill.server.api("POST", "/agent/runs", { prompt: "Queue.", title: "number last" });
  await page.getByText(`${MANY + 1} runs`, { exact: true }).waitFor();
  await page.evaluate("window.scrollTo(0, 0)");
  await page.getByRole("link", { name: "number last" }).waitFor();
  await page.goto("/runs?q=number");
  await page.getByRole("link", { name: `number ${MANY - 1}`, exact: true }).waitFor();
  await page.mouse.wheel(0, 1_500);
  const watched = page.getByRole("link", { name: `number ${MANY - 30}`, exact: true });
  const before = (await watched.boundingBox())?.y;
  await mill.server.api("POST", "/agent/runs", { prompt: "Queue.", title: "number new" });
  await page.getByText(/^\d+ or more runs$/).waitFor();
  await waitFor(async () => (await page.evaluate("window.scrollY")) !== 1_500 || undefined);
  expect((await watched.boundingBox())?.y).toBe(before);
});
