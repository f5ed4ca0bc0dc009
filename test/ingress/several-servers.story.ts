import { expect, test } from "vitest";
import { deliver, twoServers } from "../given/two-servers.ts";

const ROUNDS = 50;

test("what server A has answered counts at server B for the next delivery, 50 times in a row", async () => {
  const { a, b } = await twoServers();
  const statuses: Record<string, number[]> = {};
  const note = async (what: string, status: Promise<number>) => {
    statuses[what] ??= [];
    statuses[what].push(await status);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { uid, secret } = await a.create({ name: `w${round}` });
    const url = b.urlOf(uid);
    await note("made", deliver(url, secret));
    const rotated = await a.rotate(uid);
    // Either may be what tells server B of the rotation.
    if (round % 2 === 0) await note("new secret", deliver(url, rotated));
    await note("old secret", deliver(url, secret));
    await note("new secret", deliver(url, rotated));
    await a.change(uid, { enabled: false });
    await note("disabled", deliver(url, rotated));
    await a.change(uid, { enabled: true });
    await note("enabled", deliver(url, rotated));
    await a.remove(uid);
    await note("deleted", deliver(url, rotated));
  }
  const only = Object.fromEntries(Object.entries(statuses).map(([what, all]) => [what, [...new Set(all)]]));
  expect(only).toEqual({
    made: [202],
    "new secret": [202],
    "old secret": [401],
    disabled: [404],
    enabled: [202],
    deleted: [404],
  });
}, 180_000);
