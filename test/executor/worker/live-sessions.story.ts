import { expect, test } from "vitest";
import { waitFor } from "../../given/server.ts";
import { aWorker, remoteRuns } from "../../given/workers.ts";

/** Says what it hears; what begins with `ask` it asks a person once, and says the answer, or that there is none. It ends at `bye`. */
const TALKS = `
  import { createInterface } from "node:readline";
  const { MILLRACE_API_URL: url, MILLRACE_RUN_TOKEN: token } = process.env;
  const headers = {
    authorization: "Bearer " + token,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  const askPerson = async (question) => {
    const params = { name: "ask_person", arguments: { question } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    for (;;) {
      const text = await fetch(url + "/api/v1/mcp", { method: "POST", headers, body }).then((answer) => answer.text());
      // The server has been started again, and the worker has not reached it yet.
      if (!text.includes("started again")) return text;
      await pause();
    }
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const { text } = JSON.parse(line);
    if (text.startsWith("ask")) console.log("answered: " + (await askPerson(text).catch(() => "nothing")));
    else console.log("heard: " + text);
    if (text === "bye") process.exit(0);
  }`;

test("messages and answers reach the session of an agent on a worker, also after the server was restarted", async () => {
  const mill = await remoteRuns({ lease: "20s", live: TALKS });
  await aWorker(mill.server, { args: mill.args });
  const id = await mill.start({ config: { harness: { type: "live" } } });
  const say = (message: string) =>
    mill.server.api<object>("POST", `/agent/runs/${id}/followups`, { message });
  const hears = (text: string) => waitFor(async () => (await mill.written(id)).includes(text));
  const talk = async (time: string) => {
    await say(`Hello ${time}.`);
    await hears(`heard: Hello ${time}.`);
    await say(`ask ${time}`);
    await waitFor(async () => (await mill.story.run(id)).state === "BLOCKED");
    await say(`The answer ${time}.`);
    await hears(`The answer ${time}.`);
  };
  await hears("heard: ");
  await talk("once");
  await mill.kill();
  await mill.restart();
  await talk("twice");
  expect(await mill.written(id)).not.toContain("heard: The answer");
  await say("ask while the server is killed");
  await waitFor(async () => (await mill.story.run(id)).state === "BLOCKED");
  await mill.kill();
  await mill.restart();
  await hears("answered: nothing");
  await say("The answer to a call that is gone.");
  await hears("heard: The answer to a call that is gone.");
  await say("bye");
  expect(await mill.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(mill.starts(id)).toBe(1);
});

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
