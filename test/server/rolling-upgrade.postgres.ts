import { expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { earlierBuild } from "../given/earlier-build.ts";
import { type Load, startLoad } from "../given/load.ts";
import { waitFor } from "../given/server.ts";
import { severalServers } from "../given/several-servers.ts";

const MINUTES_MS = 5 * 60_000;
const SECRET = "ci-secret";
/** The build that is tested. */
const NEWER = undefined;
/** Its runs are at work when servers are stopped. */
const BRIEF = 'await new Promise((resolve) => setTimeout(resolve, 200)); console.log("done");';
const STARTS_OR_ENDS = /^(agent_started|oz_run_(done|failed|errored|cancelled))$/;
const ENDED = ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"];

/**
 * The build of the commit before the last migration. `MILLRACE_UPGRADE_FROM=COMMIT npm run test:postgres -- test/server/rolling`
 * begins with another one.
 */
const earlier = sharedByFile(async () => earlierBuild());

type Servers = Awaited<ReturnType<typeof severalServers>>["servers"];

async function twoUnderLoad(program: string | undefined) {
  // Agents that take long to start on a busy machine may end before their server does.
  const settings = { MILLRACE_DELIVERIES_PER_MINUTE: "100000", MILLRACE_DRAIN_TIMEOUT: "60s" };
  const { servers, urlAt } = await severalServers(2, { agent: BRIEF, settings, program });
  const [a] = servers;
  if (!a) throw new Error();
  const path = new URL(urlAt(a)).pathname;
  const urls = servers.map(({ server }) => server.url);
  return { servers, load: startLoad({ urls, path, token: SECRET }) };
}

/** Stops one server after the other as an operator does, and starts another build in its place, while the others go on. */
async function replaceEach(servers: Servers, load: Load, program: string | undefined): Promise<void> {
  for (const [at, each] of servers.entries()) {
    await load.progress(30);
    expect(await each.server.stop()).toBe(0);
    await load.progress(20);
    const next = await each.as(program);
    load.urls[at] = next.server.url;
    servers[at] = next;
  }
  await load.progress(30);
}

/** Every accepted delivery is there once, and has started a run that has ended once. */
async function expectNothingLost(servers: Servers, load: Load): Promise<void> {
  const [a, b] = servers;
  if (!a || !b) throw new Error();
  expect(load.failed.slice(0, 3)).toEqual([]);
  // Only of servers that were being replaced.
  expect(load.repeated.filter(({ status }) => typeof status === "number" && status !== 503)).toEqual([]);
  const runs = new Set(load.created);
  const identities = new Set<string>();
  for (const [identity, id] of load.accepted) {
    const delivery = await a.story.delivery(id);
    expect([identity, delivery.outcome, delivery.run_ids.length]).toEqual([identity, "Accepted", 1]);
    identities.add(delivery.identity?.value ?? "");
    runs.add(delivery.run_ids[0] ?? "");
  }
  expect(identities.size).toBe(load.accepted.size);
  expect(runs.size).toBe(load.accepted.size + load.created.size);
  const states: Record<string, number> = {};
  for (const id of runs) {
    const { state } = await waitFor(async () => {
      const run = await b.story.run(id);
      return ENDED.includes(run.state) ? run : undefined;
    }, 60);
    states[state] = (states[state] ?? 0) + 1;
    const events = (await b.story.timeline(id)).map(({ event_type }) => event_type);
    expect(events.filter((type) => STARTS_OR_ENDS.test(type))).toEqual(["agent_started", "oz_run_done"]);
  }
  expect(states).toEqual({ SUCCEEDED: runs.size });
}

test(
  "two servers of an earlier version are replaced one after the other under load, and nothing is lost or done twice",
  async () => {
    const { servers, load } = await twoUnderLoad(earlier());
    await replaceEach(servers, load, NEWER);
    await load.stop();
    await expectNothingLost(servers, load);
  },
  MINUTES_MS,
);

test(
  "an upgrade is undone in the same way: servers of the earlier version start again on the migrated database",
  async () => {
    const { servers, load } = await twoUnderLoad(earlier());
    const [first] = servers;
    if (!first) throw new Error();
    const half = servers.slice(0, 1);
    await replaceEach(half, load, NEWER);
    servers.splice(0, 1, ...half);
    await replaceEach(servers, load, earlier());
    await load.stop();
    await expectNothingLost(servers, load);
  },
  MINUTES_MS,
);
