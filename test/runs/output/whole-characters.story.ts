import fc from "fast-check";
import { expect, test } from "vitest";
import { wholeLength } from "../../../src/executor/supervisor/read-output.ts";
import { serverWithAgent } from "../../given/agent.ts";

test("a text cut anywhere is cut before the character that has only begun, and nothing of it is lost", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), fc.nat(), (text, place) => {
      const bytes = Buffer.from(text);
      const piece = bytes.subarray(0, place % (bytes.length + 1));
      const whole = piece.subarray(0, wholeLength(piece));
      expect(piece.length - whole.length).toBeLessThan(4);
      expect(Buffer.from(whole.toString()).equals(whole)).toBe(true);
    }),
  );
});

test("bytes that are not UTF-8 are not delayed", () => {
  for (const bytes of [[0x80], [0xff], [0x41, 0x80, 0x80, 0x80, 0x80], [0xf8]]) {
    expect(wholeLength(Uint8Array.from(bytes))).toBe(bytes.length);
  }
});

test("a character that an agent writes in two goes is one piece of its transcript", async () => {
  const { story, server, run } = await serverWithAgent(`
    const [first, second] = [Buffer.from([0xf0, 0x9f]), Buffer.from([0x98, 0x80, 0x0a])];
    process.stdout.write("a");
    process.stdout.write(first);
    setTimeout(() => process.stdout.write(second), 400);`);
  const { run_id } = await run();
  expect(await story.transcript(run_id)).toBe("a😀\n");
  const headers = { authorization: "Bearer test-admin-key-0123456789", "last-event-id": "1" };
  const resumed = await server.fetch(`/api/v1/agent/runs/${run_id}/transcript?follow=true`, { headers });
  expect(await resumed.text()).toContain('"text":"😀\\n"');
});
