import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasNoBarrier, SCREENS, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { startServer, waitFor } from "../given/server.ts";
import { AMPLE_BUDGETS } from "../given/serving.ts";
import { type Delivery, type Factory, storyOf, type Webhook } from "../given/story.ts";

const TOKEN = "value-of-CI_SECRET";

/** A server with five deliveries whose runs failed, one that started nothing, and one that was refused. */
const shared = sharedByFile(async () => {
  const folder = folderWith({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/mend.md": automationOn(["ci"], { status: ["failed"] }, "Mend it."),
  });
  const server = await startServer({ sources: [folder], agent: "process.exit(2);", env: AMPLE_BUDGETS });
  await server.api("PUT", "/secrets/CI_SECRET", { value: TOKEN, shared: true });
  const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
  for (const { uid } of factories) await server.api("POST", `/factories/${uid}/sync?wait=true`);
  const story = storyOf(server);
  const { webhooks } = await server.api<{ webhooks: Webhook[] }>("GET", "/factories/acme/webhooks");
  const [webhook] = webhooks;
  if (!webhook) throw new Error("the factory has no webhook");
  const quiet = await story.accept(
    webhook.url,
    TOKEN,
    '{"status":"passed","order":{"number":4711,"item":"wheelbarrow"}}',
  );
  for (const build of [1, 2, 3, 4, 5])
    await story.accept(webhook.url, TOKEN, JSON.stringify({ status: "failed", build }));
  await story.deliver(webhook.url, "wrong", "{}");
  const list = async (query: string) =>
    (await server.api<{ deliveries: Delivery[] }>("GET", `/deliveries?${query}`)).deliveries;
  await waitFor(async () => (await list("failed=true")).length === 5 || undefined);
  return { server, list, quiet, webhook };
});

const visit = visitorsTo(shared);

describe.each(SCREENS)("on $name", ({ viewport, colorScheme }) => {
  async function open(path: string): Promise<Page> {
    const page = await visit({ viewport });
    await page.emulateMedia({ colorScheme });
    await page.goto(path);
    return page;
  }

  test("the delivery that contained an order is found by its number, and its row says why it started nothing", async () => {
    const { quiet } = shared();
    const page = await open("/deliveries");
    await page.getByLabel("Search", { exact: true }).fill("order 4711");
    const row = page.getByRole("button", { name: `Open delivery ${quiet}` });
    await row.waitFor();
    await waitFor(
      async () => (await page.getByRole("button", { name: /^Open delivery/ }).count()) === 1 || undefined,
    );
    expect(new URL(page.url()).searchParams.get("q")).toBe("order 4711");
    await row.click();
    await page.getByText("Would not trigger").first().waitFor();
    await hasNoBarrier(page);
    await page.getByLabel("Search", { exact: true }).fill("nothing has this");
    await page.getByText("No deliveries match these filters").waitFor();
  });

  test("five deliveries whose runs failed are redelivered, after what that starts was shown, and once", async () => {
    const { list } = shared();
    const before = (await list("limit=200")).length;
    const shown = (await list("failed=true&limit=200")).length;
    const page = await open("/");
    const phone = viewport.width < 500;
    if (phone) await page.goto("/deliveries");
    else
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("button", { name: "Failed runs" }).click();
    await page.getByRole("button", { name: `Redeliver ${shown} shown` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`these deliveries start ${shown} runs:`).waitFor();
    await dialog.getByText(`mend in acme: ${shown} runs`).waitFor();
    await hasNoBarrier(page);
    await dialog.getByRole("button", { name: "Redeliver", exact: true }).dblclick();
    await dialog.waitFor({ state: "detached" });
    expect((await list("limit=200")).length).toBe(before + shown);
    await waitFor(async () => (await list("failed=true&limit=200")).length === 2 * shown || undefined);
  });

  test("some deliveries are selected, and those that were redelivered say from which", async () => {
    const { list } = shared();
    const page = await open("/deliveries?received=hour&q=failed");
    await page.getByRole("checkbox").nth(1).check();
    await page.getByRole("button", { name: "Redeliver 1 selected" }).waitFor();
    await hasNoBarrier(page);
    await page.getByRole("button", { name: "Clear selection" }).click();
    await page.getByRole("button", { name: /^Redeliver \d+ shown$/ }).waitFor();
    const made = (await list("q=failed")).find(({ redelivery_of }) => redelivery_of !== null);
    const link = page.getByRole("link", { name: made?.redelivery_of?.slice(0, 8) ?? "", exact: true });
    if (viewport.width > 500) await link.first().waitFor();
  });
});

test("the deliveries of one webhook are searched on its page", async () => {
  const { webhook, quiet } = shared();
  const page = await visit({ path: `/factories/acme/webhooks/${webhook.uid}` });
  // No hexadecimal digits: a delivery is found by the parts of its identifier too.
  await page.getByLabel("Search deliveries").fill("wheel*");
  const rows = page.getByRole("button", { name: /^Open delivery/ });
  await waitFor(async () => (await rows.count()) === 1 || undefined);
  await page.getByRole("button", { name: `Open delivery ${quiet}` }).click();
  await page.getByText("Would not trigger").first().waitFor();
  const { searchParams } = new URL(page.url());
  expect([searchParams.get("q"), searchParams.get("delivery")]).toEqual(["wheel*", quiet]);
});

test("the times that go with the clock are asked for as instants", async () => {
  const page = await visit({ path: "/deliveries" });
  await page
    .getByRole("button", { name: /^Open delivery/ })
    .first()
    .waitFor();
  await page.getByLabel("Received").selectOption({ label: "Yesterday" });
  await page.getByText("No deliveries match these filters").waitFor();
  expect(new URL(page.url()).searchParams.get("received")).toBe("yesterday");
  await page.getByLabel("Received").selectOption({ label: "Last hour" });
  await page
    .getByRole("button", { name: /^Open delivery/ })
    .first()
    .waitFor();
  await page.getByLabel("Received").selectOption({ label: "Custom" });
  await page.getByLabel("Received after").waitFor();
});
