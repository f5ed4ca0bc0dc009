import { expect, test } from "vitest";
import { remoteRuns } from "../given/remote-runs.ts";
import { waitFor } from "../given/server.ts";
import { aWorker } from "../given/worker.ts";

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
