import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createBodyRoom } from "../../../src/edge/body-room.ts";
import { createPushHook } from "../../../src/ingress/push-hooks/push-hook.ts";
import { silentLog } from "../../../src/log.ts";
import { answerAfterAborted, rawPost, sendRaw } from "../../given/raw-http.ts";
import { post } from "../../given/sender.ts";

const FORGED = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };

/** The push hook in this process, whose secret nobody knows: one failure keeps an address out. */
async function aPushHook(): Promise<string> {
  const handler = createPushHook(
    { failedAuthPerMinute: 1, trustProxy: [] },
    {
      factories: { find: () => undefined },
      askForCheck: async () => {},
      room: createBodyRoom({ bytes: 10_000, bodies: 1 }),
      publicUrl: () => "http://here",
      log: silentLog,
      now: () => new Date(),
    },
  );
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/git/acme`;
}

test("an address that is blocked from a push hook is answered before any of its body is read", async () => {
  const url = await aPushHook();
  expect((await post(url, "{}", FORGED)).status).toBe(401);
  const announced = [rawPost(url, { ...FORGED, "content-length": "2" })];
  expect((await sendRaw(url, announced, { answers: 1 })).statuses).toEqual([429]);
});

test("a body that is not sent completely counts as a failure, so that no sender can take the room of others", async () => {
  const url = await aPushHook();
  const send = async () => (await post(url, "{}", FORGED)).status;
  expect(await answerAfterAborted(url, FORGED, send)).toBe(429);
});
