import { expect, test } from "vitest";
import { hasNoBarrier, lookAt, PHONE, type Visit, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { waitFor } from "../given/server.ts";
import { workingMill } from "../given/working-mill.ts";

const shared = sharedByFile(async () => {
  const mill = await workingMill();
  for (let n = 0; n < 3; n += 1) await mill.story.deliver(mill.webhookUrl, "wrong", `{"n":${n}}`);
  return { mill, server: mill.server };
});

const visit = visitorsTo(shared);
const inbox = (options: Visit = {}, search = "") => visit({ path: `/inbox${search}`, ...options });

const QUESTION = "The migration drops a column that has data. Shall I go on?";
const TITLE = "Drop the unused column";
const questionItem = () => `?item=question:${shared().mill.runs.blocked.run_id}`;

test("a question is shown with what answers it, on every screen", async () => {
  const page = await inbox({}, questionItem());
  await page.getByRole("article", { name: TITLE }).getByText(QUESTION).waitFor();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await page.getByRole("button", { name: "Reject" }).waitFor();
  await page.getByRole("link", { name: "Open the run" }).waitFor();
  await lookAt(page, "inbox");
});

test("keys move in the list, and open what is shown", async () => {
  const page = await inbox();
  const list = page.getByRole("list", { name: "What waits for you" });
  const current = list.locator('[aria-current="true"]');
  await list.getByText(TITLE).waitFor();
  const titles = await list.getByRole("strong").allInnerTexts();
  const at = titles.indexOf(TITLE);
  for (let n = 0; n < at; n += 1) await page.keyboard.press("j");
  await current.getByText(TITLE).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await current.getByText(TITLE).waitFor();
  await page.getByRole("article", { name: TITLE }).waitFor();
  await page.keyboard.press("e");
  await page.getByRole("heading", { level: 1, name: TITLE }).waitFor();
  await page.goBack();
  await current.getByText(TITLE).waitFor();
  await current.press("Enter");
  await page.getByRole("heading", { level: 1, name: TITLE }).waitFor();
});

test("a sender that is refused leads to its webhook, and a phone shows the list first", async () => {
  const page = await inbox({ viewport: PHONE });
  await page.getByRole("link", { name: /^ci is refused/ }).click();
  await page
    .getByRole("article", { name: "ci is refused" })
    .getByText(/The last 3 deliveries/)
    .waitFor();
  await hasNoBarrier(page);
  await page.getByRole("link", { name: "All items" }).click();
  await page.getByRole("link", { name: /^ci is refused/ }).click();
  await page.getByRole("link", { name: "Open the webhook" }).click();
  await page.getByRole("heading", { level: 1, name: "ci" }).waitFor();
});

test("`a` asks before it approves, and what is answered makes room for the next item, live", async () => {
  const { mill } = shared();
  const page = await inbox({}, questionItem());
  await page.getByRole("article", { name: TITLE }).getByRole("button", { name: "Approve" }).waitFor();
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Send “Reject”" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  await dialog.getByRole("button", { name: "Send “Approve”" }).click();
  await waitFor(async () => (await mill.story.run(mill.runs.blocked.run_id)).state !== "BLOCKED");
  await page.getByRole("article", { name: TITLE }).waitFor({ state: "detached" });
  await page.getByRole("article").waitFor();
  expect(await page.getByRole("link", { name: new RegExp(`^${TITLE}`) }).count()).toBe(0);
});
