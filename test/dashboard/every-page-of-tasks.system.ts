import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { lookAt, openBrowser, signedIn } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { workingFamily } from "../given/family.ts";
import { waitFor } from "../given/server.ts";

const shared = sharedByFile(async () => {
  const [family, browser] = await Promise.all([workingFamily(), openBrowser()]);
  const tasks = await tasksOfEveryKind(family);
  return { tasks, desk: await signedIn(browser, family.server, { viewport: { width: 1440, height: 900 } }) };
});

async function tasksOfEveryKind({ dispatch, move, children }: Awaited<ReturnType<typeof workingFamily>>) {
  const ticket = { ticket_ref: "github:17", ticket_url: "https://code.example/acme/shop/issues/17" };
  const done = await dispatch("Fix the failing cart test", "Do it.", "SUCCEEDED", ticket);
  const asking = await dispatch("Drop the unused column from orders", "Ask.", "BLOCKED");
  const handing = await dispatch("Upgrade the compiler", "Hand it out.", "INPROGRESS");
  await dispatch("Add an index to the table of orders", "Stay.", "INPROGRESS");
  const isAsking = async () => (await children(handing.run_id, 2)).some(({ state }) => state === "BLOCKED");
  await waitFor(async () => (await isAsking()) || undefined);
  await move(done.task_uid, "COMPLETE");
  await move(asking.task_uid, "SPEC");
  await move(handing.task_uid, "IMPLEMENT");
  return { done, asking, handing };
}

type Tasks = Awaited<ReturnType<typeof tasksOfEveryKind>>;
type Press = (page: Page) => Promise<void>;

const PAGES: readonly [name: string, place: (tasks: Tasks) => string, heading: string, press?: Press][] = [
  [
    "board",
    () => "/factories/acme/board",
    "Board",
    (page) => page.getByText("The column has data.").first().waitFor(),
  ],
  [
    "board-filtering",
    () => "/factories/acme/board?blocked=true&q=column",
    "Board",
    (page) => page.getByText("The column has data.").first().waitFor(),
  ],
  [
    "board-moving",
    () => "/factories/acme/board",
    "Board",
    async (page) => {
      await page.getByRole("button", { name: "Move “Upgrade the compiler”" }).click();
      await page.getByRole("menu").waitFor();
    },
  ],
  [
    "board-starting",
    () => "/factories/acme/board",
    "Board",
    (page) => page.getByRole("button", { name: "Start task" }).click(),
  ],
  [
    "task",
    ({ done }) => `/factories/acme/tasks/${done.task_uid}`,
    "Fix the failing cart test",
    (page) => page.getByRole("region", { name: "Conversation" }).getByText("It is done.").waitFor(),
  ],
  [
    "task-cancelling",
    ({ handing }) => `/factories/acme/tasks/${handing.task_uid}`,
    "Upgrade the compiler",
    (page) => page.getByRole("button", { name: "Cancel task" }).click(),
  ],
  [
    "run-of-family",
    ({ handing }) => `/runs/${handing.run_id}`,
    "Upgrade the compiler",
    (page) => page.getByRole("region", { name: "Runs of the family" }).waitFor(),
  ],
  [
    "run-of-family-cancelling",
    ({ handing }) => `/runs/${handing.run_id}`,
    "Upgrade the compiler",
    async (page) => {
      await page.getByRole("region", { name: "Runs of the family" }).waitFor();
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
    },
  ],
  [
    "run-with-choices",
    ({ asking }) => `/runs/${asking.run_id}`,
    "Drop the unused column from orders",
    (page) => page.getByRole("button", { name: "Drop it" }).waitFor(),
  ],
];

test.each(PAGES)("%s is accessible, in light and dark", async (name, place, heading, press) => {
  const { tasks, desk } = shared();
  const { page, misdeeds } = desk;
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(place(tasks));
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await press?.(page);
  await lookAt(page, name);
  expect(misdeeds).toEqual([]);
});
