import { afterEach, describe, expect, test } from "vitest";
import { aKey } from "../given/ask.ts";
import { openBrowser, signedIn } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { aWaitingFamily } from "../given/family.ts";
import { waitFor } from "../given/server.ts";
import type { Run } from "../given/story.ts";
import { workingMill } from "../given/working-mill.ts";

const shared = sharedByFile(async () => {
  const [mill, browser] = await Promise.all([workingMill(), openBrowser()]);
  return { mill, browser, desk: await signedIn(browser, mill.server) };
});

afterEach(() => {
  expect(shared().desk.misdeeds).toEqual([]);
});

const start = async (title: string, prompt = "Stay.") =>
  (await shared().mill.server.api<Run>("POST", "/agent/runs", { title, prompt })).run_id;

async function automationRun(): Promise<Run> {
  const { runs } = await shared().mill.server.api<{ runs: Run[] }>(
    "GET",
    "/agent/runs?source=CUSTOM_WEBHOOK",
  );
  return runs.find(({ agent_config }) => agent_config.name === "fix-build") ?? expect.unreachable();
}

describe("a row", () => {
  test("tells state, title, reason, what started the run and of which factory", async () => {
    const { page } = shared().desk;
    await page.goto("/runs");
    const failed = page.getByRole("row").filter({ hasText: "Upgrade the compiler" });
    await failed.getByText("Failed", { exact: true }).waitFor();
    await failed.getByText(/exit/i).first().waitFor();
    const started = page.getByRole("row").filter({ hasText: "Delivery" }).filter({ hasText: "acme" });
    await started.getByRole("link", { name: "fix-build" }).last().click();
    await page.getByRole("heading", { level: 1, name: "fix-build" }).waitFor();
  });

  test("on a phone has state, title, what started the run and its age", async () => {
    const { page } = shared().desk;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/runs");
    const row = page.getByRole("row").filter({ hasText: "fix-build" }).first();
    await row.getByText(/fix-build · /).waitFor();
    expect(await row.locator("time:visible").count()).toBe(1);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test("leads to the pull request of its run", async () => {
    const { mill, desk } = shared();
    const { page } = desk;
    const url = "https://github.com/acme/shop/pull/17";
    const artifact = { artifact_type: "PULL_REQUEST", created_at: "2026-11-21T00:00:00Z", data: { url } };
    await page.route("**/api/v1/agent/runs?*", async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      for (const run of body.runs) if (run.run_id === mill.runs.done.run_id) run.artifacts.push(artifact);
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto("/runs");
    const link = page.getByRole("link", { name: /Pull request #17/ });
    expect(await link.getAttribute("href")).toBe(url);
    expect(await link.getAttribute("rel")).toContain("noopener");
    // Answers may be on their way.
    await page.unrouteAll({ behavior: "wait" });
  });
});

describe("a filter", () => {
  test("has several states, and stands as a chip that can be removed; Back brings it back", async () => {
    const { page } = shared().desk;
    await page.goto("/runs");
    await page.getByRole("button", { name: "State", exact: true }).click();
    await page.getByRole("option", { name: "FAILED" }).click();
    await page.getByRole("option", { name: "Needs an answer" }).click();
    await page.keyboard.press("Escape");
    expect(new URL(page.url()).searchParams.get("state")).toBe("FAILED,BLOCKED");
    await page.getByText("State: Failed, Needs an answer").waitFor();
    await page.getByRole("link", { name: "Drop the unused column" }).waitFor();
    await page.getByRole("link", { name: "Mend the failing cart test" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove the filter State" }).click();
    await page.getByRole("link", { name: "Mend the failing cart test" }).waitFor();
    await page.goBack();
    await page.getByText("State: Failed, Needs an answer").waitFor();
  });

  test("shows the names of automations and agents, and keeps them for who opens the address", async () => {
    const { page } = shared().desk;
    await page.goto("/runs");
    await page.getByRole("button", { name: "Automation", exact: true }).click();
    await page.getByRole("option", { name: "fix-build" }).click();
    await page.getByText("Automation: fix-build").waitFor();
    await page.reload();
    await page.getByText("Automation: fix-build").waitFor();
    await page.getByRole("link", { name: "Upgrade the compiler" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Agent", exact: true }).click();
    await page.getByRole("listbox").getByRole("option", { name: "boss" }).first().click();
    await page.getByText("Agent: boss").waitFor();
    await page.getByRole("button", { name: "Clear all" }).click();
    await page.getByRole("link", { name: "Upgrade the compiler" }).first().waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  test("has periods and intervals, one in place of the other", async () => {
    const { page } = shared().desk;
    await page.goto("/runs");
    await page.getByRole("button", { name: "Created", exact: true }).click();
    await page.getByRole("option", { name: "Last 24 hours" }).click();
    await page.getByText("Created: Last 24 hours").waitFor();
    await page.getByRole("link", { name: "Upgrade the compiler" }).first().waitFor();
    await page.getByRole("button", { name: "Created", exact: true }).click();
    await page.getByLabel("Until").fill("2020-01-01T00:00");
    await page.getByText(/^Until: /).waitFor();
    await page.getByText("No runs match these filters").waitFor();
    expect(await page.getByText("Created: Last 24 hours").count()).toBe(0);
  });
});

describe("several runs", () => {
  test("are cancelled after a summary, which tells which ones cannot be", async () => {
    const { mill, desk } = shared();
    const { page } = desk;
    const ids = [await start("bulk 1"), await start("bulk 2"), await start("bulk 3", "Mend it.")];
    await mill.story.ended(ids[2] ?? "");
    await page.goto("/runs?q=bulk");
    await page.getByRole("checkbox", { name: "Select bulk 1" }).click();
    await page.getByRole("checkbox", { name: "Select bulk 3" }).click({ modifiers: ["Shift"] });
    await page.getByText("3 runs selected").waitFor();
    await page.getByRole("button", { name: "Cancel…" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel 2 runs?" });
    await dialog.getByText("Not possible for 1 run:").waitFor();
    await dialog.getByText("SUCCEEDED: already ended").waitFor();
    await dialog.getByRole("button", { name: "Cancel runs" }).dblclick();
    await dialog.getByText("2 of 2 done").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    for (const id of ids.slice(0, 2)) expect((await mill.story.ended(id)).state).toBe("CANCELLED");
  });

  test("are run again, once each even on a double click, by their own automations alone", async () => {
    const { mill, desk } = shared();
    const { page } = desk;
    const run = await automationRun();
    await mill.story.ended(run.run_id);
    const before = (await mill.story.runs()).length;
    await page.goto(`/runs?automation_id=${run.automation_id}`);
    await page
      .getByRole("checkbox", { name: `Select ${run.title}` })
      .first()
      .click();
    await page.getByRole("button", { name: "Run again…" }).click();
    const dialog = page.getByRole("dialog", { name: "Run 1 run again?" });
    await dialog.getByText(/fix-build/).waitFor();
    await dialog.getByRole("button", { name: "Start runs" }).dblclick();
    await dialog.getByText("1 of 1 done").waitFor();
    await dialog.getByRole("link", { name: "Started" }).click();
    // While its agent works, the page grows under the pointer, and what is pressed is not what is released.
    await page.getByText("Succeeded", { exact: true }).first().waitFor();
    await page.getByRole("tab", { name: "Details" }).click();
    await page.getByRole("link", { name: run.run_id }).waitFor();
    await waitFor(async () => (await mill.story.runs()).length === before + 1 || undefined);
  });

  test("that match the filters are selected at once", async () => {
    const { page } = shared().desk;
    await page.goto("/runs?q=bulk");
    await page.getByRole("checkbox", { name: "Select bulk 1" }).click();
    await page.getByRole("button", { name: /^Select all that match/ }).click();
    await page.getByText("3 runs selected").waitFor();
    await page.getByRole("button", { name: "Clear selection" }).click();
    await page.getByText("3 runs selected").waitFor({ state: "detached" });
  });

  test("cannot be selected by a viewer", async () => {
    const { mill, browser } = shared();
    const { page } = await signedIn(browser, mill.server, {
      key: await aKey(mill.server, { role: "viewer" }),
    });
    await page.goto("/runs");
    await page.getByRole("link", { name: "Upgrade the compiler" }).first().waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
  });
});

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
