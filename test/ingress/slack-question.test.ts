import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { FACTORY, signatureWebhook } from "../given/definition.ts";
import { hmacOf, post, SIGNING_SECRET } from "../given/sender.ts";
import { serving } from "../given/serving.ts";

const stage = sharedByFile(() =>
  serving(
    {
      ...FACTORY,
      "webhooks/slack.yaml": signatureWebhook("slack", "HOOK_SECRET"),
      "webhooks/github.yaml": signatureWebhook("github", "HOOK_SECRET"),
    },
    { HOOK_SECRET: SIGNING_SECRET },
  ),
);

describe("Slack's request to verify the URL", () => {
  const ask = (url: string, body: string, key = SIGNING_SECRET) => {
    const time = String(Math.floor(Date.now() / 1_000));
    return post(url, body, {
      "x-slack-request-timestamp": time,
      "x-slack-signature": `v0=${hmacOf(`v0:${time}:${body}`, key)}`,
    });
  };
  const CHALLENGE = '{"type":"url_verification","challenge":"abc"}';

  test("is answered when it is signed, and is not a delivery", async () => {
    const { story } = stage();
    const { url, uid } = await story.webhook("slack");
    const answer = await ask(url, CHALLENGE);
    expect([answer.status, await answer.json()]).toEqual([200, { challenge: "abc" }]);
    expect(await story.deliveries(uid)).toEqual([]);
    expect((await ask(url, CHALLENGE, "another")).status).toBe(401);
    expect((await ask(url, '{"type":"event_callback","event_id":"Ev1","challenge":"x"}')).status).toBe(202);
  });

  test("is a delivery like any other at a webhook of another scheme", async () => {
    const url = await stage().story.urlOf("github");
    const answer = await post(url, CHALLENGE, { "x-hub-signature-256": `sha256=${hmacOf(CHALLENGE)}` });
    expect(answer.status).toBe(202);
  });
});
