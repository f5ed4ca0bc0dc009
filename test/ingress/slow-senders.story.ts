import { expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { serving } from "../given/serving.ts";

const TOKEN = "the-token";

/** One byte, again and again, with a pause before each. */
const drip = (text: string, pauseMs: number) => [...text].flatMap((character) => [pauseMs, character]);

test("a sender that drips its headers or its body is cut off, and the others are served in the meantime", async () => {
  const { story } = await serving({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK }, { CI_SECRET: TOKEN });
  const { url, uid } = await story.webhook("ci");
  const head = rawPost(url, { authorization: `Bearer ${TOKEN}`, "content-length": "100000" });
  const slow = [
    ...Array.from({ length: 20 }, () =>
      sendRaw(url, drip("POST /webhooks/w/abcdef", 1_000), { waitMs: 20_000 }),
    ),
    ...Array.from({ length: 20 }, () =>
      sendRaw(url, [head, ...drip("x".repeat(34), 1_000)], { waitMs: 20_000 }),
    ),
  ];
  expect(await story.accept(url, TOKEN, '{"meanwhile":1}')).toMatch(/^[0-9a-f-]{36}$/);
  const ended = await Promise.all(slow);
  for (const { closed, statuses } of ended) {
    expect(closed).toBe(true);
    expect(statuses.every((status) => status === 408)).toBe(true);
  }
  expect(await story.deliveries(uid)).toHaveLength(1);
}, 90_000);
