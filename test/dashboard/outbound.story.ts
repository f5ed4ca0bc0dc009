import { expect, test } from "vitest";
import { overflow, violations } from "../given/accessibility.ts";
import { openBrowser } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { outboundFile, serverThatPosts } from "../given/outbound.ts";
import { receiver } from "../given/receiver.ts";
import { visitorsTo } from "../given/visitors.ts";

const shared = sharedByFile(async () => {
  const [target, browser] = [await receiver(), await openBrowser()];
  const { server, factory } = await serverThatPosts({
    deploys: outboundFile(target.url, ["run.ended", "definition.applied"]),
    quiet: outboundFile(target.url, ["task.moved"], "enabled: false"),
  });
  return { server, factory, browser, target };
});

const signIn = visitorsTo(shared);

test("the page of webhooks lists outbound webhooks, and sends a test to one", async () => {
  const { factory, target } = shared();
  const page = await signIn({ viewport: { width: 1440, height: 900 } });
  await page.goto(`/factories/${factory}/webhooks`);
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
