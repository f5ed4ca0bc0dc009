import { expect, test } from "vitest";
import { following, onEnds } from "../given/following.ts";

test("of 1,000 runs that end in a burst, each starts an automation once, also when two servers follow them", async () => {
  const world = await following();
  await world.serve(onEnds({ watch: "{ automations: { not_in: [watch] } }" }));
  const followers = [world.start(), world.start()];
  for (const { look } of followers) await look();
  for (let each = 0; each < 1_000; each += 1) await world.end();
  await Promise.all(followers.map(({ look }) => look()));
  const causes = (await world.started()).map(({ ancestors: [cause] }) => cause);
  expect(causes).toHaveLength(1_000);
  expect(new Set(causes).size).toBe(1_000);
});
