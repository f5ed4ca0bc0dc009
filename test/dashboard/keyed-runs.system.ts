import { afterEach, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { lookAt, openBrowser, signedIn } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, TOKEN_WEBHOOK, withMillrace } from "../given/definition.ts";
import { waitFor } from "../given/server.ts";

const TOKEN = "the-token";

const keyed = (policy: string, more = "") =>
  withMillrace(
    automationOn(["ci"], { policy: [policy] }, "Review the pull request."),
    `{ concurrency: { key: "{{pr}}", whileRunning: ${policy} }${more} }`,
  );

const stage = sharedByFile(async () => {
  const files = {
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/joining.md": keyed("join", ", debounce: { quiet: 1h, longest: 2h }"),
    "automations/replacing.md": keyed("replace"),
    "automations/queueing.md": keyed("queue"),
  };
  const [{ server, story }, browser] = await Promise.all([
    serverWithAgent("setInterval(() => {}, 1_000);", { files, env: { MILLRACE_RUN_CONCURRENCY: "8" } }),
    openBrowser(),
  ]);
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const { url, uid } = await story.webhook("ci");
  const send = async (policy: string, pr: number, n: number) => {
    const id = await story.accept(url, TOKEN, JSON.stringify({ policy, pr, n }));
    return { id, run: (await story.delivery(id)).run_ids[0] ?? "" };
  };
  return {
    story,
    send,
    webhookPage: `/factories/acme/webhooks/${uid}`,
    desk: await signedIn(browser, server),
  };
});

afterEach(async () => {
  const { page, misdeeds } = stage().desk;
  expect(misdeeds).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
});

test("a delivery shows beside each automation what it did, with a link to the run", async () => {
  const { send, webhookPage, desk } = stage();
  const { page } = desk;
  const { run } = await send("join", 1, 1);
  const second = await send("join", 1, 2);
  await page.goto(`${webhookPage}?delivery=${second.id}`);
  await page.getByRole("button", { name: "Explain" }).click();
  const joining = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "joining" }) });
  await joining.getByText("A run with the key 1 was waiting: the delivery became part of it.").waitFor();
  expect(await joining.innerText()).toContain(`The delivery joined run ${run}`);
  const replacing = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "replacing" }) });
  expect(await replacing.innerText()).not.toContain("The delivery");
  await lookAt(page, "delivery-joined");
  await joining.getByRole("link", { name: run }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/runs/${run}`);

  const old = await send("replace", 2, 1);
  const next = await send("replace", 2, 2);
  await page.goto(`${webhookPage}?delivery=${next.id}`);
  await page.getByRole("button", { name: "Explain" }).click();
  await page.getByText(`Replaced: ${old.run}`).waitFor();
  await page.getByText(`The delivery replaced earlier runs with run ${next.run}`).waitFor();
});

test("a run lists its deliveries if it has several, and says what it waits for", async () => {
  const { send, webhookPage, desk } = stage();
  const { page } = desk;
  const first = await send("join", 3, 1);
  await page.goto(`/runs/${first.run}`);
  await page
    .getByText(/^The run waits for further deliveries, and can start at .* if no more come\.$/)
    .waitFor();
  expect(await page.getByText("This run starts next.").count()).toBe(0);
  const listed = page.waitForResponse(new RegExp(`/agent/runs/${first.run}/deliveries`));
  await page.getByRole("tab", { name: "Details" }).click();
  const fold = page.locator("summary", { hasText: "Deliveries" });
  await (await listed).finished();
  expect(await fold.count()).toBe(0);
  // The page that is open shows what comes.
  const second = await send("join", 3, 2);
  await fold.getByText("2 deliveries").waitFor();
  await fold.click();
  const table = page.getByRole("table", { name: "Deliveries" });
  const rows = async () => (await table.getByRole("row").allInnerTexts()).map((row) => row.split(/\s*\t\s*/));
  await waitFor(async () => (await rows()).length === 3);
  expect((await rows()).map(([id, effect]) => [id, effect])).toEqual([
    ["Delivery", "Effect"],
    [second.id, "Joined the run"],
    [first.id, "Started the run"],
  ]);
  await lookAt(page, "run-deliveries");
  await table.getByRole("link", { name: first.id }).click();
  await page.getByRole("button", { name: "Explain" }).waitFor();
  expect(page.url()).toContain(`${webhookPage}?delivery=${first.id}`);
});

test("a run that waits for its key names the run that has it", async () => {
  const { send, desk } = stage();
  const { page } = desk;
  const holder = await send("queue", 4, 1);
  const waiting = await send("queue", 4, 2);
  await page.goto(`/runs/${waiting.run}`);
  await page.getByText(`The run ${holder.run} with the key 4 has not ended.`).waitFor();
  await page.getByText("This run starts next.").waitFor();
  await lookAt(page, "run-waits-for-key");
});

test("redelivering says that an earlier run was joined", async () => {
  const { send, webhookPage, desk } = stage();
  const { page } = desk;
  const { id } = await send("join", 5, 1);
  await page.goto(`${webhookPage}?delivery=${id}`);
  await page.getByRole("button", { name: "Redeliver" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Redeliver" }).click();
  await page
    .getByText("Redelivered 1 delivery: 0 runs started, 1 earlier run joined or continued.")
    .waitFor();
});
