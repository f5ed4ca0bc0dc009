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
  say("turn-" + turn, JSON.stringify({ folder: process.cwd(), before, prompt: readFileSync(0, "utf8") }));
  console.log("the answer of turn " + turn);`;

interface Told {
  folder: string;
  before: string;
  prompt: string;
}

test("follow-ups go back to the worker with the workspace, and when it is gone another one starts anew with the conversation", async () => {
  const mill = await remoteRuns({ settings: { MILLRACE_WORKER_RETURN_WAIT: "4s" } });
  const agent = mill.agents.program + AGENT;
  const first = await aWorker(mill.server, { agent });
  const id = await mill.start();
  expect(await mill.story.ended(id, 20)).toMatchObject({ state: "SUCCEEDED" });
  const second = await aWorker(mill.server, { agent, token: first.token });
  const say = async (turn: number): Promise<Told> => {
    const message = `Do part ${turn}.`;
    await mill.server.api("POST", `/agent/runs/${id}/followups`, { message });
    await mill.agents.has(`turn-${turn}`);
    expect(await mill.story.ended(id, 20)).toMatchObject({ state: "SUCCEEDED" });
    return JSON.parse(mill.agents.read(`turn-${turn}`));
  };

  for (const turn of [2, 3]) {
    const told = await say(turn);
    expect(told).toMatchObject({ before: `turn ${turn - 1}`, prompt: `Do part ${turn}.` });
    expect(told.folder).toContain(first.dataDir);
  }

  await first.kill();
  const anew = await say(4);
  expect(anew.before).toBe("nothing");
  expect(anew.folder).toContain(second.dataDir);
  expect(anew.prompt).toContain("> Turn 3, message to the agent:\n> Do part 3.");
  expect(anew.prompt).toContain("> Turn 3, answer of the agent:\n> the answer of turn 3");
  expect(anew.prompt.trim().endsWith("\n\nDo part 4.")).toBe(true);
  expect(await mill.story.transcript(id)).toContain(
    "[millrace: the workspace of the previous turns is on another machine; this turn starts in a new one, and its prompt contains the conversation so far]",
  );

  // It has the workspace of the third turn still, which is out of date.
  const back = await aWorker(mill.server, { agent, token: first.token, dataDir: first.dataDir });
  expect((await say(5)).folder).toContain(second.dataDir);
  await second.kill();
  const stale = await say(6);
  expect(stale.folder).toContain(back.dataDir);
  expect(stale.before).toBe("nothing");
  expect(stale.prompt).toContain("> Turn 5, message to the agent:\n> Do part 5.");
});

test("a worker that is started again on its data folder goes on in the workspaces that it has", async () => {
  const mill = await remoteRuns({ settings: { MILLRACE_WORKER_RETURN_WAIT: "10m" } });
  const agent = mill.agents.program + AGENT;
  const first = await aWorker(mill.server, { agent });
  const id = await mill.start();
  expect(await mill.story.ended(id, 20)).toMatchObject({ state: "SUCCEEDED" });
  await aWorker(mill.server, { agent, token: first.token });
  await first.stop();
  await mill.server.api("POST", `/agent/runs/${id}/followups`, { message: "Go on." });
  await waitFor(async () => (await mill.story.run(id)).waiting?.reason === "workspace" || undefined);
  await aWorker(mill.server, { agent, token: first.token, dataDir: first.dataDir });
  await mill.agents.has("turn-2");
  expect(JSON.parse(mill.agents.read("turn-2"))).toMatchObject({ before: "turn 1", prompt: "Go on." });
});
