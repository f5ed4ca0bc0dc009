import { expect, test } from "vitest";
import { lookAt, overflow, violations, visitorsTo } from "../given/browser.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { receiver, SIGNING_SECRET, serverThatTells } from "../given/outbound.ts";

const shared = sharedByFile(async () => {
  const target = await receiver();
  const { server, story, start } = await serverThatTells(
    {
      outbound: [
        {
          name: "audit",
          url: target.url,
          secret: { env: "AUDIT_SECRET" },
          events: ["run.ended", "definition.applied"],
          filter: { data: { state: ["FAILED"] } },
        },
      ],
    },
    { env: { AUDIT_SECRET: SIGNING_SECRET } },
  );
  const { name: factory } = await story.factory();
  const succeeded = await start({ prompt: "Do it.", factory });
  const failed = await start({ prompt: "PLEASE-FAIL", factory });
  await story.ended(succeeded);
  await story.ended(failed);
  return { server, target, succeeded, failed };
});

const signIn = visitorsTo(shared);

test("the outbound webhooks of the settings have pages that show what they sent, send tests and explain", async () => {
  const { target, succeeded, failed } = shared();
  const page = await signIn({ path: "/" });
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Outbound", exact: true }).click();
  await page.getByRole("heading", { name: "Outbound webhooks", level: 1 }).waitFor();
  await page.getByRole("table", { name: "Outbound webhooks" }).getByText("Ready").waitFor();
  expect(await violations(page)).toEqual([]);
  await lookAt(page, "server-outbound");
  await page.getByRole("button", { name: "Send test to audit" }).click();
  await page.getByText("Sent a test event to audit.").waitFor();
  expect(target.requests.at(-1)?.json.type).toBe("test");

  await page.getByRole("link", { name: "audit", exact: true }).click();
  await page.getByRole("heading", { name: "audit", level: 1 }).waitFor();
  expect(await page.getByRole("button", { name: "Rotate secret" }).count()).toBe(0);
  await page.getByText("From the settings").waitFor();
  const sent = page.getByRole("table", { name: "Sent and waiting events" });
  await sent.getByRole("link", { name: "run.ended" }).waitFor();
  expect(await sent.getByRole("link", { name: "run.ended" }).getAttribute("href")).toContain(failed);

  const explain = page.getByRole("region", { name: "Explain an event" });
  await explain.getByLabel("Run ID").fill(succeeded);
  await explain.getByRole("button", { name: "Explain" }).click();
  await explain.getByText("Would not be sent").waitFor();
  await explain.getByText("The filter does not match at data.state").waitFor();
  await explain.getByLabel("Run ID").fill(failed);
  await explain.getByLabel("Run ID").press("Enter");
  await explain.getByText("Would be sent").waitFor();
  await explain.getByText(failed).first().waitFor();
  expect(await violations(page)).toEqual([]);
  await lookAt(page, "server-outbound-webhook");
  await explain.getByLabel("Event").selectOption("definition.applied");
  await explain.getByLabel("Factory").fill("nowhere");
  await explain.getByRole("button", { name: "Explain" }).click();
  await explain.getByText('there is nothing with the id "nowhere"').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});
