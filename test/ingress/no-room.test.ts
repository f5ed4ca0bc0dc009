import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { newUid } from "../../src/id.ts";
import { createBodyRoom } from "../../src/ingress/body-room.ts";
import { failureBudget, rateBudget } from "../../src/ingress/budget.ts";
import { compileCredential } from "../../src/ingress/credential.ts";
import { bodyReader } from "../../src/ingress/read-body.ts";
import { ingressHandler } from "../../src/ingress/router.ts";
import { silentLog } from "../../src/log.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { signedWebhook } from "../given/sender.ts";
import { waitFor } from "../given/server.ts";
import { aStore } from "../given/store.ts";

const SECRET = "the-secret";
const ROOM_BYTES = 100;
const FAILURES_ALLOWED = 2;

/** The ingress with one signed webhook and little room for bodies. */
async function smallIngress(): Promise<string> {
  const { deliveries: store } = await aStore();
  const uid = newUid();
  const webhook = {
    uid,
    name: "hook",
    factoryUid: newUid(),
    credential: compileCredential(signedWebhook("github"), SECRET),
    deliveryIdHeader: undefined,
    eventHeader: undefined,
    listeners: [],
  };
  const clock = () => performance.now();
  const handler = ingressHandler({
    store,
    own: { includes: () => false },
    webhooks: () => new Map([[uid, webhook]]),
    addressOf: () => "one address",
    readBody: bodyReader({ room: createBodyRoom({ bytes: ROOM_BYTES, bodies: 10 }) }),
    deliveryBudget: rateBudget(1_000, clock),
    failureBudget: failureBudget(FAILURES_ALLOWED, clock),
    refusalBudget: rateBudget(1_000, clock),
    match: async () => [],
    onRuns() {},
    onRecorded() {},
    onRefused() {},
    onAnswered() {},
    publicUrl: () => "http://here",
    log: silentLog,
    now: () => new Date(),
  });
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/w/${uid}`;
}

test("when bodies on their way fill the room, others are asked to come again and are not blamed for it", async () => {
  const url = await smallIngress();
  const send = async (text: string) => {
    const signature = `sha256=${createHmac("sha256", SECRET).update(text).digest("hex")}`;
    const answer = await fetch(url, {
      method: "POST",
      body: text,
      headers: { "x-hub-signature-256": signature },
    });
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
