import { expect, test } from "vitest";
import { waitFor } from "../../given/server.ts";
import { aTokenFamily } from "../../given/token-family.ts";

const AFTER = { first: true };

test("a call ends at its time limit, however often it is held", async () => {
  const { use, child, isAtWork, server, token, parent } = await aTokenFamily(3);
  const [one, two] = [await child("one"), await child("two")];
  await isAtWork(one);
  await isAtWork(two);
  const limited = use("wait_for", { run_ids: [one], timeout_seconds: 6 });
  const later = fetch(`${server.url}/api/v1/agent/runs/${parent}/wait`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ run_ids: [two], timeout_seconds: 10, hold_seconds: 20 }),
  }).then(() => AFTER);
  expect(await Promise.race([limited, later])).toMatchObject({
    text: expect.stringContaining("The time limit was reached"),
  });
  await later;
});

test("a call is not held for a run that waits for other runs", async () => {
  const { use, child, end, isAtWork, story, server } = await aTokenFamily(2);
  const resting = await child("rest");
  await isAtWork(resting);
  // The blocker was created first, so it takes the place that the resting run gives up.
  const blocker = await child("blocker");
  const grandchild = await child("grandchild", resting);
  end("rest");
  await isAtWork(blocker);
  await waitFor(async () => (await story.run(resting)).waiting_for?.includes(grandchild));
  const held = server.api("GET", `/agent/runs/${grandchild}?wait=20s`).then(() => AFTER);
  const called = use("wait_for", { run_ids: [resting] });
  expect(await Promise.race([called, held])).toMatchObject({
    text: expect.stringContaining("The wait was recorded. End your turn now"),
  });
  end("blocker");
  end("grandchild");
});
