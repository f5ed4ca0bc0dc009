import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { DESK, lookAt, PHONE, type Visit, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { workingFamily } from "../given/family.ts";
import { waitFor } from "../given/server.ts";

const shared = sharedByFile(async () => {
  const family = await workingFamily();
  return { family, server: family.server };
});

const visit = visitorsTo(shared);
const desk = (path: string, options: Visit = {}) => visit({ path, ...options });

/** A foreman that has started a reviewer, which works, and an implementer, which asks. */
async function aFamily(title: string) {
  const { family } = shared();
  const { run_id, task_uid } = await family.dispatch(title, "Hand it out.", "INPROGRESS");
  onTestFinished(async () => void (await family.end(run_id)));
  await family.children(run_id, 2);
  const asking = await waitFor(async () => {
    const runs = await family.children(run_id, 2);
    return runs.find(({ state, is_sandbox_running }) => state === "BLOCKED" && !is_sandbox_running);
  });
  return { run_id, task_uid, asking: asking.run_id };
}

const stateOf = async (id: string) => (await shared().family.story.run(id)).state;
const choice = (page: Page, name: string) =>
  page.getByRole("group", { name: "Answers" }).getByRole("button", { name, exact: true });

test("the page of a run shows its family as a tree, and leads to each of its runs", async () => {
  const { run_id, task_uid } = await aFamily("Show the family");
  const page = await desk(`/runs/${run_id}`);
  const tree = page.getByRole("region", { name: "Runs of the family" });
  await tree.getByText("Show the family (this run)").waitFor();
  await tree.getByText("Running").first().waitFor();
  expect(await tree.getByRole("listitem").count()).toBe(3);
  await tree.getByRole("link", { name: "Review the change" }).click();
  await page.getByRole("heading", { level: 1, name: "Review the change" }).waitFor();
  await page.getByRole("list", { name: "Origin" }).getByRole("link", { name: "Show the family" }).waitFor();
  await page.getByRole("list", { name: "Origin" }).getByRole("link", { name: "a task" }).click();
  await page.waitForURL(`**/factories/acme/tasks/${task_uid}`);
});

test("the note of a family is folded on the page of each of its runs, as a text", async () => {
  const { asking } = await aFamily("Show the note");
  const page = await desk(`/runs/${asking}?tab=details`);
  await page.getByRole("heading", { name: "Note of the family" }).click();
  await page.getByText("The fault is in <b>cart.ts</b>.").waitFor();
});

test("the status line of an agent at work stands beside the state of its run", async () => {
  const { run_id } = await aFamily("Show the status");
  const page = await desk(`/runs/${run_id}`);
  await page.getByText("Waiting for the review").first().waitFor();
});

test("a run that waits says for how many agents, which of them failed, and what it has worked so far", async () => {
  const { family } = shared();
  const { run_id } = await family.dispatch("Wait for others", "Wait for them.", "INPROGRESS");
  onTestFinished(async () => void (await family.end(run_id)));
  await waitFor(async () => (await family.story.run(run_id)).is_sandbox_running === false || undefined);
  await waitFor(async () => (await family.children(run_id, 2)).some(({ state }) => state === "FAILED"));
  const page = await desk(`/runs/${run_id}?tab=trace`);
  await page
    .getByRole("list", { name: "Origin" })
    .getByText(/^Worked /)
    .waitFor();
  const rows = page.getByRole("region", { name: "Runs of the family" }).getByRole("listitem");
  await rows.filter({ hasText: "(this run)" }).getByText("Waiting for 1 agent").waitFor();
  await rows.filter({ hasText: "Implement the change" }).getByText("FAILED").first().waitFor();
  await lookAt(page, "run-that-waits");
  await page.goto("/runs");
  await page
    .getByRole("row")
    .filter({ hasText: "Wait for others" })
    .getByText("Waiting for 1 agent")
    .waitFor();
});

test("a run is cancelled alone, and its agents go on; the page of one then says how its parent ended", async () => {
  const { run_id, asking } = await aFamily("Cancel it alone");
  const page = await desk(`/runs/${run_id}`);
  await page.getByRole("region", { name: "Runs of the family" }).waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Cancel this run").check();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
  await page.getByText("CANCELLED").first().waitFor();
  expect(await stateOf(asking)).toBe("BLOCKED");
  await page.goto(`/runs/${asking}`);
  await page.getByRole("note").getByText("The run that started this one ended as CANCELLED").waitFor();
});

test("a run is cancelled with all its agents, of which the dialog says how many they are", async () => {
  const { run_id, asking } = await aFamily("Cancel them all");
  const page = await desk(`/runs/${run_id}`);
  await page.getByRole("region", { name: "Runs of the family" }).waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Cancel with all its agents").check();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel 3 runs" }).click();
  await waitFor(async () => (await stateOf(asking)) === "CANCELLED" || undefined);
  const tree = page.getByRole("region", { name: "Runs of the family" });
  await waitFor(async () => (await tree.getByText("CANCELLED").count()) === 3 || undefined);
});

describe.each([DESK, PHONE])("at $width pixels", (viewport) => {
  test("a choice of a question is sent once, however fast it is pressed, and is the answer", async () => {
    const { asking } = await aFamily("Choose");
    const page = await desk(`/runs/${asking}`, { viewport });
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/followups")) sent += 1;
    });
    await choice(page, "Keep it").dblclick();
    await page.getByText("Sent the answer “Keep it”.").waitFor({ state: "attached" });
    const { family } = shared();
    await family.story.ended(asking);
    const { messages } = await family.server.api<{ messages: { role: string; text: string }[] }>(
      "GET",
      `/agent/runs/${asking}/conversation`,
    );
    expect(messages.filter(({ role, text }) => role === "user" && text === "Keep it")).toHaveLength(1);
    expect(sent).toBe(1);
    await choice(page, "Keep it").waitFor({ state: "detached" });
  });
});

test("an urgent question is marked in the list of runs, and comes first on the overview", async () => {
  await aFamily("Be quick");
  const page = await desk("/runs?state=BLOCKED");
  await page
    .getByRole("row")
    .filter({ hasText: "Implement the change" })
    .getByText("Urgent")
    .first()
    .waitFor();
  await page.goto("/");
  const needs = page.getByRole("region", { name: "Needs attention" });
  await needs.getByRole("listitem").first().getByText("Urgent").waitFor();
});

test("on a phone the family is folded, and says how many of its runs have not ended", async () => {
  const { run_id } = await aFamily("Fold it");
  const page = await desk(`/runs/${run_id}`, { viewport: PHONE });
  await page.getByText("3 runs · 3 not ended · 1 blocked").waitFor();
  await page.getByRole("heading", { name: "Family", exact: true }).click();
  await page.getByRole("link", { name: "Review the change" }).waitFor();
});
