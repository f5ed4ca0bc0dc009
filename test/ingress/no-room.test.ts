import { expect, test } from "vitest";
import { anIngress, githubSignature } from "../given/ingress.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { post, signedWebhook } from "../given/sender.ts";
import { waitFor } from "../given/server.ts";

const SECRET = "the-secret";
const ROOM_BYTES = 100;
const FAILURES_ALLOWED = 2;

test("when bodies on their way fill the room, others are asked to come again and are not blamed for it", async () => {
  const room = { bytes: ROOM_BYTES, bodies: 10 };
  const options = { room, failuresPerMinute: FAILURES_ALLOWED };
  const { url } = await anIngress(signedWebhook("github"), SECRET, options);
  const send = async (text: string) => {
    const answer = await post(url, text, githubSignature(text, SECRET));
    return [answer.status, answer.headers.get("retry-after")];
  };
  const body = (n: number) => JSON.stringify({ n, text: "x".repeat(40) });
  expect(await send(body(0))).toEqual([202, null]);

  const slow = sendRaw(url, [rawPost(url, { "content-length": "90" }, "x".repeat(80)), 1_500], {
    waitMs: 1_500,
  });
  await waitFor(async () => (await send(body(1)))[0] === 503 || undefined);
  for (let n = 0; n < FAILURES_ALLOWED + 2; n += 1) expect(await send(body(2))).toEqual([503, "1"]);
  await slow;

  await waitFor(async () => (await send(body(3)))[0] === 202 || undefined);
});
