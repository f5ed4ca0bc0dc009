import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";
import { processesOf, waitingAgent } from "../../given/waiting-family.ts";

/** A session that takes messages for as long as its input is open: it waits at the first, and repeats the others. */
const session = (folder: string) => `
  import { existsSync } from "node:fs";
  import { createInterface } from "node:readline";
  const { MILLRACE_RUN_ID: id, MILLRACE_API_URL: url, MILLRACE_RUN_TOKEN: token } = process.env;
  const rest = (result) => console.log(JSON.stringify({ type: "result", subtype: "success", result }));
  let first = process.env.MILLRACE_TURN === "1";
  for await (const line of createInterface({ input: process.stdin })) {
    const { text } = JSON.parse(line);
    while (!existsSync(${JSON.stringify(folder)} + "/start")) await new Promise((again) => setTimeout(again, 20));
    if (first) {
      await fetch(url + "/api/v1/agent/runs/" + id + "/wait", {
        method: "POST",
        headers: { authorization: "Bearer " + token, "content-type": "application/json" },
        body: "{}",
      });
    }
    rest(first ? "I wait." : "read " + text);
    if (!first) process.exit(0);
    first = false;
  }`;

test("a session that has nothing to do while its run waits ends, and the results begin a session of the next turn", async () => {
  const folder = temporaryFolder();
  const touch = (name: string) => writeFileSync(join(folder, name), "");
  const script = join(folderWith({ "agent.mjs": session(folder) }), "agent.mjs");
  const live = { command: [process.execPath, script], stdin: "messages", output: "claude" };
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses: { live } }) }), "m.yaml");
  const { start, story } = await serverWithAgent(waitingAgent(folder), { args: ["--config", config] });
  const parent = await start({ config: { harness: { type: "live" } } });
  const child = await start({ prompt: "Child one", parent_run_id: parent });
  touch("start");
  const resting = await waitFor(async () => {
    const run = await story.run(parent);
    return run.state === "INPROGRESS" && run.is_sandbox_running === false ? run : undefined;
  });
  expect(resting).toMatchObject({ waiting_for: [child], answer: "I wait." });
  expect(processesOf(parent)).toEqual([]);
  touch("one");
  const ended = await story.ended(parent);
  expect(ended).toMatchObject({ state: "SUCCEEDED" });
  expect(ended.answer).toContain("> answer of one");
});
