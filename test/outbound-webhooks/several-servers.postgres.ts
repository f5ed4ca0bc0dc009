import { expect, test } from "vitest";
import { LOOPBACK_ALLOWED, outboundFile, receiver, SIGNING_SECRET, verified } from "../given/outbound.ts";
import { severalServers } from "../given/several-servers.ts";

const ROUNDS = 6;
const SECRET = "ci-secret";

test("of two servers, each event after the first outbound webhook was applied is sent once, whichever of them applied it", async () => {
  const { repository, servers, urlAt } = await severalServers(2, { settings: LOOPBACK_ALLOWED });
  const [a, b] = servers;
  if (!a || !b) throw new Error();
  await a.story.setSecret("OUTBOUND", SIGNING_SECRET);
  const all = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, other] = round % 2 === 0 ? [a, b] : [b, a];
    const target = await receiver();
    const name = `outbound/ops-${round}.yaml`;
    repository.push({ [name]: outboundFile(target.url, ["run.created", "run.ended"]) });
    await one.story.sync();
    // At once: whoever leads may not have seen the outbound webhook yet.
    const ids = [];
    for (const each of [one, other])
      ids.push(await each.story.accept(urlAt(each), SECRET, JSON.stringify({ round, at: each.server.url })));
    const runs = await Promise.all(ids.map(async (id) => (await one.story.endedRunOf(id)).run_id));
    const told = () => target.requests.map(({ json }) => `${json.type} ${json.data.run_id}`).sort();
    const expected = runs.flatMap((id) => [`run.created ${id}`, `run.ended ${id}`]).sort();
    await expect.poll(told, { timeout: 60_000 }).toEqual(expected);
    for (const request of target.requests) expect(verified(request)).toEqual(request.json);
    all.push(...told());
    repository.push({}, { remove: [name] });
    await other.story.sync();
  }
  expect(new Set(all).size).toBe(4 * ROUNDS);
}, 300_000);
