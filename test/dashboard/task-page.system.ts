import { expect, test } from "vitest";
import { visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { workingFamily } from "../given/family.ts";
import { waitFor } from "../given/server.ts";

const shared = sharedByFile(async () => {
  const family = await workingFamily();
  return { family, server: family.server };
});

const visit = visitorsTo(shared);
const desk = (path: string) => visit({ path });

test("the page of a task shows its ticket, its links, its runs and what was said in all of them", async () => {
  const { dispatch } = shared().family;
  const ticket = { ticket_ref: "github:17", ticket_url: "https://code.example/acme/shop/issues/17" };
  const { task_uid } = await dispatch("Fix the cart", "Do it.", "SUCCEEDED", ticket);
  const page = await desk(`/tasks/${task_uid}`);
  await page.waitForURL(`**/factories/acme/tasks/${task_uid}`);
  await page.getByRole("heading", { level: 1, name: "Fix the cart" }).waitFor();
  const address = await page.getByRole("link", { name: "17", exact: true }).getAttribute("href");
  expect(address).toBe(ticket.ticket_url);
  await page.getByRole("region", { name: "Links and files" }).getByText("acme/shop#12").waitFor();
  await page.getByRole("table", { name: "Runs of this task" }).getByText("SUCCEEDED").waitFor();
  const conversation = page.getByRole("region", { name: "Conversation" });
  await conversation.getByText("It is done.").waitFor();
  await conversation.getByRole("link", { name: "run of boss" }).first().waitFor();
});

test("a task shows what its agents ask, and is moved on its page", async () => {
  const { dispatch, task } = shared().family;
  const { task_uid, run_id } = await dispatch("Drop the column", "Ask.", "BLOCKED");
  const page = await desk(`/factories/acme/tasks/${task_uid}`);
  const question = page.getByRole("region", { name: "Question from an agent" });
  await question.getByText("The column has data. Drop it?").waitFor();
  await page.getByRole("group", { name: "Stage" }).getByRole("button", { name: "Review" }).click();
  await waitFor(async () => (await task(task_uid)).stage === "REVIEW" || undefined);
  await page.getByRole("button", { name: "Review", pressed: true }).waitFor();
  await question.getByRole("link", { name: "Answer on the page of its run" }).click();
  await page.waitForURL(`**/runs/${run_id}`);
});

test("a task is cancelled with its runs, of which the dialog says how many have not ended", async () => {
  const { dispatch, children, story, task } = shared().family;
  const { task_uid, run_id } = await dispatch("Give it up", "Hand it out.", "INPROGRESS");
  await children(run_id, 2);
  const page = await desk(`/factories/acme/tasks/${task_uid}`);
  await page.getByRole("button", { name: "Cancel task" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("This ends 3 runs that have not ended").waitFor();
  await dialog.getByRole("button", { name: "Cancel task" }).click();
  await page.getByRole("status").getByText("Cancelled the task.").waitFor();
  for (const { run_id: child } of await children(run_id, 2)) await story.ended(child);
  await story.ended(run_id);
  expect((await task(task_uid)).stage).toBe("CANCELLED");
});

test("a task that there is not is said not to be there", async () => {
  const page = await desk("/tasks/01a1fe22-6744-70ce-94a0-348515e54587");
  await page.getByRole("alert").getByText("Not found").waitFor();
});
