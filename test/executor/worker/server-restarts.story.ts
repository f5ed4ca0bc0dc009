import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { waitFor } from "../../given/server.ts";
import { aWorker, remoteRuns } from "../../given/workers.ts";

/** Writes lines with numbers without end, until it may end. */
const COUNTS = `
  let last = 0;
  const count = (lines) => {
    let text = "";
    for (let i = 0; i < lines; i += 1) text += "line " + ++last + "\\n";
    return new Promise((resolve) => process.stdout.write(text, resolve));
  };
  await count(3_000);
  while (!existsSync(at("enough"))) { await count(20); await pause(); }
  await count(3_000);
  say("last", String(last));`;

const lines = (last: number) => Array.from({ length: last }, (_, at) => `line ${at + 1}\n`).join("");

test.each(["kill", "stop"] as const)(
  "an agent on a worker goes on through a %s of the server, and all that it writes arrives once and in order",
  async (end) => {
    const mill = await remoteRuns({ lease: "20s" });
    const worker = await aWorker(mill.server, { agent: mill.agents.program + COUNTS });
    const id = await mill.start();
    await waitFor(async () => (await mill.written(id)).includes("line 3000\n"));
    await mill[end]();
    await mill.restart();
    const before = (await mill.written(id)).length;
    await waitFor(async () => (await mill.written(id)).length > before);
    mill.agents.can("enough");
    expect(await mill.story.ended(id, 40)).toMatchObject({ state: "SUCCEEDED" });
    const last = Number(mill.agents.read("last"));
    expect(last).toBeGreaterThan(6_000);
    expect(await mill.written(id)).toBe(lines(last));
    expect(mill.starts(id)).toBe(1);
    expect(worker.exitCode()).toBe(null);
  },
);

/** Reports with the command that agents have. */
const REPORTS = `
  import { execFileSync } from "node:child_process";
  say("ready");
  await until("report");
  execFileSync("millrace", ["agent", "answer", "I have waited."], { stdio: "inherit" });`;

test("the command of an agent on a worker waits for a server that takes a while to be back", async () => {
  const mill = await remoteRuns({ lease: "60s" });
  await aWorker(mill.server, { agent: mill.agents.program + REPORTS });
  const id = await mill.start();
  await mill.agents.has("ready");
  await mill.kill();
  mill.agents.can("report");
  // Longer than a person's command waits.
  await sleep(9_000);
  await mill.restart();
  expect(await mill.story.ended(id, 60)).toMatchObject({ state: "SUCCEEDED", answer: "I have waited." });
});
