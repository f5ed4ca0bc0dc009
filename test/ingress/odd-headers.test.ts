import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { TOKEN_WEBHOOK } from "../given/definition.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { authorized, openIngress, TOKEN } from "../given/serving.ts";

const stage = sharedByFile(() =>
  openIngress({ "webhooks/odd.yaml": `${TOKEN_WEBHOOK}deliveryIdHeader: constructor\n` }),
);

describe("over a raw connection", () => {
  test.each(["__proto__", "constructor", "toString"])("a header named %s breaks nothing", async (name) => {
    const { url } = stage();
    const head = rawPost(
      url,
      {
        ...authorized,
        [name === "__proto__" ? "__PROTO__" : name]: "x",
        connection: "close",
        "content-length": "2",
      },
      "{}",
    );
    expect((await sendRaw(url, [head], { waitMs: 5_000 })).statuses).toEqual([202]);
  });

  test("headers of 40 KB are refused", async () => {
    const { url } = stage();
    const answer = await sendRaw(url, [rawPost(url, { ...authorized, "x-filler": "f".repeat(40_000) })]);
    expect(answer.statuses).toEqual([431]);
  });
});

test("a header named like a property of every object counts as missing", async () => {
  const { story } = stage();
  const { url } = await story.webhook("odd");
  const id = await story.accept(url, TOKEN, '{"odd":1}');
  expect((await story.delivery(id)).identity?.source).toBe("body_hash");
});

test("an id that is written in UTF-8 is logged as it was written", async () => {
  const { story, url } = stage();
  const head = rawPost(url, { ...authorized, "content-length": "8", "x-service-delivery-id": "événement-1" });
  const answer = await sendRaw(url, [Buffer.from(`${head}{"id":1}`)], { answers: 1 });
  const { delivery_id } = JSON.parse(/\{.*\}/.exec(answer.text)?.[0] ?? "{}");
  expect((await story.delivery(delivery_id)).identity).toEqual({
    source: "service_header",
    value: "événement-1",
  });
});
