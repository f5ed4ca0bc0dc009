import { describe, expect, test } from "vitest";
import { overflow, SCREENS, violations, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { receiver, SIGNING_SECRET, serverThatTells } from "../given/outbound.ts";
import { waitFor } from "../given/server.ts";

const shared = sharedByFile(async () => {
  const [target, slack] = [await receiver(), await receiver()];
  slack.answer(500);
  const secret = { env: "NOTIFY_SECRET" };
  const { server, start, story } = await serverThatTells(
    {
      notifications: [
        { name: "ops", kind: "webhook", url: target.url, secret, events: ["run.blocked", "run.failed"] },
        { name: "chat", kind: "slack", url: slack.url, events: ["run.failed"] },
      ],
    },
    { env: { NOTIFY_SECRET: SIGNING_SECRET } },
  );
  const { name: factory } = await story.factory();
  await start({ prompt: "PLEASE-FAIL", factory });
  await waitFor(async () => target.requests.length === 1 && slack.requests.length > 0);
  return { server, target };
});

const signIn = visitorsTo(shared);

async function opened(viewport: { width: number; height: number }, path = "/notifications") {
  const page = await signIn({ path: path, viewport });
  await page.getByRole("table", { name: "Targets" }).waitFor();
  return page;
}

describe.each(SCREENS)("at $name", ({ viewport, colorScheme }) => {
  test("the page of notifications shows targets and what was sent, with the last error", async () => {
    const page = await opened(viewport);
    await page.emulateMedia({ colorScheme });
    const targets = page.getByRole("table", { name: "Targets" });
    await targets.getByText("Failing").waitFor();
    const sent = page.getByRole("table", { name: "Notifications" });
    await sent.getByText("Last error: the receiver answered 500").first().waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
});

test("a test is sent to a target, and listed", async () => {
  const { target } = shared();
  const page = await opened({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Send test to ops" }).click();
  await page.getByText("Sent a test to ops.").waitFor();
  expect(target.requests.at(-1)?.json.type).toBe("test");
  await page
    .getByRole("table", { name: "Notifications" })
    .getByText("Test of the notification target ops")
    .waitFor();
});

test("filters stand in the address", async () => {
  const page = await opened({ width: 1440, height: 900 });
  await page.getByLabel("State").selectOption("waiting");
  await page.waitForURL("**/notifications?state=waiting");
  const sent = page.getByRole("table", { name: "Notifications" });
  await sent.getByText("Waiting").first().waitFor();
  await waitFor(async () => (await sent.getByText("Sent", { exact: true }).count()) === 0);
});
