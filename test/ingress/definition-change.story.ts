import { describe, expect, test } from "vitest";
import { FACTORY, signatureWebhook } from "../given/definition.ts";
import { writeFiles } from "../given/folder.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { hmacOf, SIGNING_SECRET } from "../given/sender.ts";
import { serving } from "../given/serving.ts";

describe("a definition that becomes active while a body is on its way", () => {
  test("decides about that delivery: it is refused after a rotation of the secret or when the webhook is disabled", async () => {
    const webhook = signatureWebhook("github", "HOOK_SECRET");
    const { source, story } = await serving(
      { ...FACTORY, "webhooks/github.yaml": webhook },
      { HOOK_SECRET: SIGNING_SECRET },
    );
    const { url } = await story.webhook("github");
    const head = (body: string, key: string) =>
      rawPost(url, {
        "x-hub-signature-256": `sha256=${hmacOf(body, key)}`,
        "content-length": String(body.length),
        connection: "close",
      });
    const slow = (body: string, key: string) =>
      sendRaw(url, [head(body, key) + body.slice(0, 3), 1_500, body.slice(3)], { waitMs: 3_000 });

    const rotated = slow('{"n":1}', SIGNING_SECRET);
    await story.setSecret("HOOK_SECRET", "another");
    await story.sync();
    expect((await rotated).statuses).toEqual([401]);

    const disabled = slow('{"n":2}', "another");
    writeFiles(source, { "webhooks/github.yaml": `${webhook}enabled: false\n` });
    await story.sync();
    expect((await disabled).statuses).toEqual([404]);
  });
});
