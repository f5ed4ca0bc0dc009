import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { automationOn, FACTORY, signatureWebhook } from "../given/definition.ts";
import { outboundFile, serverThatPosts } from "../given/outbound.ts";
import { SIGNING_SECRET } from "../given/receiver.ts";
import { waitFor } from "../given/server.ts";

describe("two servers", () => {
  test("are chained by an outbound webhook of one and a webhook of the other: a failed run of the first starts a run of the second", async () => {
    const filter = { type: ["run.ended"], data: { state: ["FAILED"] } };
    const second = await serverWithAgent("console.log('repaired');", {
      files: {
        ...FACTORY,
        "webhooks/upstream.yaml": signatureWebhook("standard_webhooks", "UPSTREAM"),
        "automations/repair.md": automationOn(["upstream"], filter),
      },
    });
    await second.story.setSecret("UPSTREAM", SIGNING_SECRET);
    await second.story.sync();
    const url = await second.story.urlOf("upstream");

    const first = await serverThatPosts({ downstream: outboundFile(url, ["run.ended"]) });
    await first.story.ended(await first.startHere("Do it."));
    const failed = await first.startHere("PLEASE-FAIL");
    await first.story.ended(failed);

    const [repair] = await waitFor(async () => {
      const runs = await second.story.runs();
      return runs.length > 0 ? runs : undefined;
    });
    const webhook = await second.story.webhook("upstream");
    const deliveries = await waitFor(async () => {
      const found = await second.story.deliveries(webhook.uid);
      return found.length === 2 ? found : undefined;
    });
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(["Accepted", "Accepted"]);
    const origin = deliveries.find(({ run_ids }) => run_ids.length === 1);
    expect(repair).toMatchObject({ delivery_id: origin?.delivery_id });
    expect(origin?.identity?.value).toMatch(/^msg_/);
    const ended = await second.story.ended(repair?.run_id ?? "");
    expect(ended.state).toBe("SUCCEEDED");

    // What is sent again is known to the second server by its id.
    const path = `/factories/${first.factory}/outbound/downstream/deliveries`;
    const sent = await first.server.api<{ deliveries: { id: string; webhook_id: string }[] }>("GET", path);
    const again = sent.deliveries.find(({ webhook_id }) => webhook_id === origin?.identity?.value);
    await first.server.api("POST", `${path}/${again?.id}/redeliver`);
    await waitFor(async () =>
      (await second.story.deliveries(webhook.uid)).some(({ outcome }) => outcome === "Duplicate"),
    );
    expect(await second.story.runs()).toHaveLength(1);
  });
});
