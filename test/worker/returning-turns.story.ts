import { expect, test } from "vitest";
import { remoteRuns } from "../given/remote-runs.ts";
import { waitFor } from "../given/server.ts";
import { aWorker } from "../given/worker.ts";

/** Says where its turn is, whether the turn before has left a file there, and what it is asked. */
const AGENT = `
  import { readFileSync } from "node:fs";
  const turn = process.env.MILLRACE_TURN;
  const before = existsSync("left") ? readFileSync("left", "utf8") : "nothing";
  writeFileSync("left", "turn " + turn);
  say("told-" + turn, JSON.stringify({ folder: process.cwd(), before, prompt: readFileSync(0, "utf8") }));
  say("turn-" + turn);
  console.log("the answer of turn " + turn);`;

interface Told {
  folder: string;
  before: string;
  prompt: string;
}

/** A run whose first turn a worker has executed, and what sends follow-ups to it. */
async function afterFirstTurn(returnWait: string) {
  const mill = await remoteRuns({ settings: { MILLRACE_WORKER_RETURN_WAIT: returnWait } });
  const agent = mill.agents.program + AGENT;
  const first = await aWorker(mill.server, { agent });
  const id = await mill.start();
  expect(await mill.story.ended(id, 20)).toMatchObject({ state: "SUCCEEDED" });
  return {
    ...{ mill, first, id },
    /** Another worker of the pool, or the same one again. */
    worker: (dataDir?: string) =>
      aWorker(mill.server, { agent, token: first.token, ...(dataDir === undefined ? {} : { dataDir }) }),
    /** Asks for the next turn. @returns what its agent has told */
    async say(turn: number): Promise<Told> {
      const message = `Do part ${turn}.`;
      await mill.server.api("POST", `/agent/runs/${id}/followups`, { message });
      await mill.agents.has(`turn-${turn}`);
      expect(await mill.story.ended(id, 20)).toMatchObject({ state: "SUCCEEDED" });
      return JSON.parse(mill.agents.read(`told-${turn}`));
    },
  };
}

test("follow-ups go back to the worker of a pool that has the workspace", async () => {
  const { first, worker, say } = await afterFirstTurn("10m");
  await worker();
  for (const turn of [2, 3]) {
    const told = await say(turn);
    expect(told).toMatchObject({ before: `turn ${turn - 1}`, prompt: `Do part ${turn}.` });
    expect(told.folder).toContain(first.dataDir);
  }
});

test("when that one is gone, another one starts in a new workspace with the conversation so far, and says so", async () => {
  const { mill, first, id, worker, say } = await afterFirstTurn("1s");
  await first.kill();
  const second = await worker();
  const anew = await say(2);
  expect(anew.before).toBe("nothing");
  expect(anew.folder).toContain(second.dataDir);
  expect(anew.prompt).toContain("> Turn 1, answer of the agent:\n> the answer of turn 1");
  expect(anew.prompt.trim().endsWith("\n\nDo part 2.")).toBe(true);
  expect(await mill.story.transcript(id)).toContain(
    "[millrace: the workspace of the previous turns is on another machine; this turn starts in a new one, and its prompt contains the conversation so far]",
  );
  await second.kill();

  // It has the workspace of the first turn still, which is out of date.
  const back = await worker(first.dataDir);
  const stale = await say(3);
  expect(stale.folder).toContain(back.dataDir);
  expect(stale.before).toBe("nothing");
  expect(stale.prompt).toContain("> Turn 2, message to the agent:\n> Do part 2.");
});

test("a worker that is started again on its data folder goes on in the workspaces that it has", async () => {
  const { mill, first, id, worker } = await afterFirstTurn("10m");
  await worker();
  await first.stop();
  await mill.server.api("POST", `/agent/runs/${id}/followups`, { message: "Go on." });
  await waitFor(async () => (await mill.story.run(id)).waiting?.reason === "workspace" || undefined);
  await worker(first.dataDir);
  await mill.agents.has("turn-2");
  expect(JSON.parse(mill.agents.read("told-2"))).toMatchObject({ before: "turn 1", prompt: "Go on." });
});
