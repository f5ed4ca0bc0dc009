import { expect, test } from "vitest";
import { FACTORY, signatureWebhook } from "../given/definition.ts";
import { post } from "../given/sender.ts";
import { serving } from "../given/serving.ts";

test("a secret that its scheme cannot use is a warning at its line, and no delivery is accepted", async () => {
  const { story } = await serving(
    { ...FACTORY, "webhooks/standard.yaml": signatureWebhook("standard_webhooks", "HOOK_SECRET") },
    { HOOK_SECRET: "whsec_this is not base64" },
  );
  const { sync } = await story.factory();
  expect(sync.status).toBe("synced");
  expect(sync.problems).toContainEqual(
    expect.objectContaining({
      severity: "warning",
      path: "webhooks/standard.yaml",
      line: 3,
      message: expect.stringContaining("is not base64"),
    }),
  );
  const { url, uid, status } = await story.webhook("standard");
  expect(status).toBe("active");
  expect((await post(url, "{}")).status).toBe(401);
  expect((await story.deliveries(uid))[0]?.reason).toContain("the webhook's secret is not base64");
});
