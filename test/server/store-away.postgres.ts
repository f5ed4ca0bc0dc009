import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Models } from "../../src/client/client.ts";
import { newUid } from "../../src/id.ts";
import { postgresOutage } from "../given/postgres.ts";
import { processesWith } from "../given/processes.ts";
import { waitFor } from "../given/server.ts";
import { type ServersOptions, severalServers } from "../given/several-servers.ts";

const AGENT = "console.log('the agent ran')";

/** A run whose setup waits for a file, with the database that can be taken away in the meantime. */
async function preparing(options: ServersOptions = {}) {
  const { servers, database } = await severalServers(1, { agent: AGENT, ...options });
  const [one] = servers;
  if (!one) throw new Error();
  const marker = newUid();
  const { uid } = await one.server.api<Models["CloudEnvironment"]>("POST", "/agent/environments", {
    name: "slow",
    setup_commands: [`echo here > begun; until test -e ../go; do sleep 0.1; done; : ${marker}`],
  });
  const { run_id: id } = await one.server.api<Models["RunAgentResponse"]>("POST", "/agent/runs", {
    prompt: "Do it.",
    config: { environment_id: uid },
  });
  const workspaces = join(one.server.dataDir, "workspaces");
  await waitFor(() => existsSync(join(workspaces, id, "begun")));
  return {
    ...one,
    id,
    outage: await postgresOutage(database),
    /** How many setups of it there are at this moment. */
    preparations: () => processesWith(marker).length,
    goOn: () => writeFileSync(join(workspaces, "go"), ""),
  };
}

test("a turn that is prepared while the database is away waits for it, and its agent starts once", async () => {
  const { story, id, outage, goOn } = await preparing();
  await outage.begin();
  goOn();
  await sleep(3_000);
  await outage.end();
  const run = await waitFor(() => story.ended(id).catch(() => undefined), 60);
  expect([run.state, run.status_message]).toEqual(["SUCCEEDED", undefined]);
  const events = (await story.timeline(id)).map(({ event_type }) => event_type);
  expect(events.filter((type) => type === "agent_started")).toHaveLength(1);
  expect(await story.transcript(id)).toContain("the agent ran");
});

test("a turn whose lease ends while the database is away is given up, and is prepared again", async () => {
  const { story, id, outage, goOn, preparations } = await preparing({
    settings: { MILLRACE_WORKER_LEASE: "5s" },
  });
  const eventsOf = async (type: string) =>
    (await story.timeline(id)).filter(({ event_type }) => event_type === type).length;
  expect(preparations()).toBe(1);
  await outage.begin();
  await waitFor(() => preparations() === 0);
  await sleep(3_000);
  await outage.end();
  await waitFor(
    () =>
      eventsOf("oz_run_claimed")
        .then((count) => count === 2)
        .catch(() => false),
    60,
  );
  await waitFor(() => preparations() === 1);
  goOn();
  const run = await waitFor(() => story.ended(id).catch(() => undefined), 60);
  expect([run.state, run.status_message, await eventsOf("agent_started")]).toEqual([
    "SUCCEEDED",
    undefined,
    1,
  ]);
});

test("a turn that the database goes away from before it is prepared waits for it", async () => {
  const { servers, database } = await severalServers(1, { agent: AGENT });
  const [one] = servers;
  if (!one) throw new Error();
  const outage = await postgresOutage(database);
  const ids: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 4; n += 1) {
      const run = { prompt: `Number ${n}.` };
      ids.push((await one.server.api<Models["RunAgentResponse"]>("POST", "/agent/runs", run)).run_id);
    }
    await outage.begin();
    await sleep(1_500);
    await outage.end();
    await waitFor(() => one.story.runs().then(Boolean, () => false));
  }
  for (const id of ids) {
    const run = await waitFor(() => one.story.ended(id).catch(() => undefined), 60);
    expect([run.state, run.status_message]).toEqual(["SUCCEEDED", undefined]);
  }
});
