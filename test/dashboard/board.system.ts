import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { aKey, ask, makeKey } from "../given/ask.ts";
import { PHONE, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { workingFamily } from "../given/family.ts";
import { waitFor } from "../given/server.ts";

const BOARD = "/factories/acme/board";

const shared = sharedByFile(async () => {
  const family = await workingFamily();
  return { family, server: family.server };
});

const desk = visitorsTo(shared);

/** A task that its foreman is at work on, in a stage. */
async function aTask(title: string, stage = "TRIAGE", prompt = "Stay."): Promise<string> {
  const { dispatch, move, end } = shared().family;
  const { task_uid, run_id } = await dispatch(title, prompt, prompt === "Ask." ? "BLOCKED" : "INPROGRESS");
  onTestFinished(async () => void (await end(run_id)));
  if (stage !== "TRIAGE") await move(task_uid, stage);
  return task_uid;
}

const column = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const cardIn = (page: Page, name: string, title: string) =>
  column(page, name).getByRole("listitem").filter({ hasText: title });
const stageOf = async (uid: string) => (await shared().family.task(uid)).stage;
const reaches = (uid: string, stage: string) =>
  waitFor(async () => (await stageOf(uid)) === stage || undefined);

test("a card that is dragged to another column is moved, which is announced and seen by others at once", async () => {
  const uid = await aTask("Drag me");
  const [page, other] = [await desk(), await desk()];
  await other.goto(BOARD);
  await page.goto(BOARD);
  await cardIn(page, "Triage", "Drag me").dragTo(column(page, "Review"));
  await page.getByRole("status").getByText("Moved “Drag me” to Review.").waitFor();
  await cardIn(page, "Review", "Drag me").waitFor();
  await reaches(uid, "REVIEW");
  await cardIn(other, "Review", "Drag me").waitFor();
});

test("a card is moved with the keyboard alone, which stays on it", async () => {
  const uid = await aTask("Move me");
  const page = await desk();
  await page.goto(BOARD);
  await page.getByRole("button", { name: "Move “Move me”" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("Moved “Move me” to Implement.").waitFor();
  await reaches(uid, "IMPLEMENT");
  const focused = page.locator(":focus");
  expect(await focused.getAttribute("aria-label")).toBe("Move “Move me”");
  await cardIn(page, "Implement", "Move me").locator(":focus").waitFor();
});

test("a card returns when someone else changes its task in the same moment, and the page says so", async () => {
  const uid = await aTask("Race for me");
  const page = await desk();
  await page.goto(BOARD);
  await page.route(`**/tasks/${uid}`, async (route) => {
    if (route.request().method() === "PATCH") await shared().family.move(uid, "SPEC");
    await route.continue();
  });
  await cardIn(page, "Triage", "Race for me").dragTo(column(page, "Review"));
  await page.getByRole("alert").waitFor();
  await cardIn(page, "Spec", "Race for me").waitFor();
  expect(await cardIn(page, "Review", "Race for me").count()).toBe(0);
  expect(await stageOf(uid)).toBe("SPEC");
});

test("what is blocked comes first, is marked, and can be shown alone; filters stand in the address", async () => {
  await aTask("Ask a person", "IMPLEMENT", "Ask.");
  await aTask("Came there last", "IMPLEMENT");
  const page = await desk();
  await page.goto(BOARD);
  const first = column(page, "Implement").getByRole("listitem").first();
  await first.getByText("Ask a person").waitFor();
  await first.getByText("Needs an answer", { exact: true }).waitFor();
  await first.getByText("Urgent", { exact: true }).waitFor();
  await first.getByText("The column has data. Drop it?").waitFor();
  await page.getByText("Only blocked").click();
  await cardIn(page, "Implement", "Came there last").waitFor({ state: "detached" });
  await page.waitForURL(/blocked=true/);
  await page.reload();
  await first.getByText("Ask a person").waitFor();
  expect(await cardIn(page, "Implement", "Came there last").count()).toBe(0);
  await page.getByRole("button", { name: "Clear all" }).click();
  await cardIn(page, "Implement", "Came there last").waitFor();
  await page.getByLabel("Search", { exact: true }).fill("came there");
  await first.getByText("Came there last").waitFor();
  await page.waitForURL(/q=came/);
});

test("tasks are shown by their author, and by how long they have been in their stage", async () => {
  const { family } = shared();
  await aTask("By the admin");
  const page = await desk({ isOwn: true });
  await page.clock.install({ time: Date.now() + 2 * 3_600_000 });
  await page.goto(BOARD);
  const shown = cardIn(page, "Triage", "By the admin");
  await shown.getByText("2 hr. ago").waitFor();
  await page.getByRole("button", { name: "In this stage", exact: true }).click();
  await page.getByRole("option", { name: "More than a day" }).click();
  await shown.waitFor({ state: "detached" });
  await page.waitForURL(/age=24h/);
  await page.goto(`${BOARD}?age=1h`);
  await shown.waitFor();

  const { key } = await makeKey(family.server, { role: "operator", name: "ann" });
  const { body } = await ask<{ run_id: string }>(
    family.server,
    "POST",
    `/factory/${(await family.story.factory()).uid}/runs`,
    { key, body: { prompt: "Do it.", title: "By Ann" } },
  );
  onTestFinished(async () => void (await family.end(body.run_id)));
  await page.goto(BOARD);
  await cardIn(page, "Triage", "By Ann").waitFor();
  await page.getByRole("button", { name: "Author", exact: true }).click();
  await page.getByRole("option", { name: "ann" }).click();
  await shown.waitFor({ state: "detached" });
  await page.waitForURL(/author=/);
  await page.reload();
  await cardIn(page, "Triage", "By Ann").waitFor();
  expect(await shown.count()).toBe(0);
});

test("a phone shows one stage, which is chosen and stands in the address", async () => {
  await aTask("Read me on a phone", "COMPLETE");
  const page = await desk({ viewport: PHONE, hasTouch: true });
  await page.goto("/board");
  await page.waitForURL(`**${BOARD}`);
  await page.getByLabel("Stage").selectOption("COMPLETE");
  await cardIn(page, "Complete", "Read me on a phone").waitFor();
  expect(await column(page, "Triage").count()).toBe(0);
  await page.waitForURL(/stage=COMPLETE/);
});

test("who may only look can neither drag a card nor move it, nor start a task", async () => {
  await aTask("Look at me");
  const page = await desk({ key: await aKey(shared().family.server, { role: "viewer" }) });
  await page.goto(BOARD);
  const card = cardIn(page, "Triage", "Look at me");
  expect(await card.getAttribute("draggable")).toBe("false");
  expect(await page.getByRole("button", { name: /^Move|^Start task/ }).count()).toBe(0);
});

test("a task is started on the board, and its keys lead there", async () => {
  const page = await desk();
  await page.goto("/runs");
  await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("b");
  await page.getByRole("button", { name: "Start task" }).click();
  await page.getByLabel("Prompt").fill("Fix the cart.");
  await page.getByLabel("Title (optional)").fill("Started here");
  await page.getByRole("dialog").getByRole("button", { name: "Start task" }).click();
  await cardIn(page, "Triage", "Started here").waitFor();
});
