import { expect, test } from "vitest";
import { lookAt, overflow, violations, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { outboundFile, receiver, serverThatPosts, verified } from "../given/outbound.ts";
import { waitFor } from "../given/server.ts";

const shared = sharedByFile(async () => {
  const target = await receiver();
  const { server, factory } = await serverThatPosts({
    deploys: outboundFile(target.url, ["run.ended", "definition.applied"]),
    quiet: outboundFile(target.url, ["task.moved"], "enabled: false"),
  });
  return { server, factory, target };
});

const signIn = visitorsTo(shared);

test("the page of webhooks lists outbound webhooks, and sends a test to one", async () => {
  const { factory, target } = shared();
  const page = await signIn({ path: `/factories/${factory}/webhooks` });
  const table = page.getByRole("table", { name: "Outbound webhooks" });
  await table.getByText("Ready").waitFor();
  await table.getByText("Disabled").waitFor();
  expect(await page.getByRole("button", { name: "Send test to quiet" }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Send test to deploys" }).click();
  await page.getByText("Sent a test event to deploys.").waitFor();
  expect(target.requests.at(-1)?.json.type).toBe("test");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

test("the page of an outbound webhook shows what it sent, sends it again, and rotates its secret", async () => {
  const { factory, target } = shared();
  const page = await signIn({ path: `/factories/${factory}/webhooks` });
  target.answer((response) => response.writeHead(503).end("<b>busy</b>"));
  await page.getByRole("link", { name: "deploys" }).click();
  await page.getByRole("heading", { name: "deploys", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Send test" }).click();
  await page.getByText("The test event was not accepted: the receiver answered 503.").waitFor();
  const table = page.getByRole("table", { name: "Sent and waiting events" });
  const failed = table.getByRole("row").filter({ hasText: "the receiver answered 503" }).first();
  await failed.getByText("Failed").waitFor();
  await failed.getByRole("button", { name: /^Open event/ }).click();
  await page.getByText("<b>busy</b>").waitFor();
  await page.getByText("timestamp").waitFor();
  expect(await violations(page)).toEqual([]);
  await lookAt(page, "outbound-webhook");

  target.answer(204);
  const before = target.requests.length;
  await page.getByRole("button", { name: "Redeliver" }).click();
  await page.getByText("The event will be sent again.").waitFor();
  await waitFor(async () => target.requests.length > before || undefined);
  expect(target.requests.at(-1)?.headers["webhook-id"]).toBe(
    target.requests[before - 1]?.headers["webhook-id"],
  );
  await page.getByRole("combobox", { name: "State" }).selectOption("failed");
  await page.getByText("No event has this state.").waitFor({ timeout: 30_000 });

  const explain = page.getByRole("region", { name: "Explain an event" });
  await explain.getByLabel("Event").selectOption("definition.applied");
  await explain.getByRole("button", { name: "Explain" }).click();
  await explain.getByText("Would be sent").waitFor();

  await page.getByRole("button", { name: "Rotate secret" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Rotate secret" }).click();
  const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? "";
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Send test" }).click();
  await page.getByText("Sent a test event to deploys.").waitFor();
  expect(verified(target.requests.at(-1) ?? expect.fail(), secret.trim())).toMatchObject({ type: "test" });
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});
