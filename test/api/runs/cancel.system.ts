import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { isRunning } from "../../given/processes.ts";
import { waitFor } from "../../given/server.ts";

/** An agent with a child, both deaf to a polite end, that says who they are. */
const deafAgent = (folder: string) => `
  import { spawn } from "node:child_process";
  import { writeFileSync } from "node:fs";
  process.on("SIGTERM", () => console.log("heard"));
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ["-e", deaf], { stdio: "inherit" });
  writeFileSync(${JSON.stringify(join(folder, "pids"))}, process.pid + " " + child.pid);
  console.log("at work");
  setInterval(() => {}, 1000);`;

describe("a cancelled run", () => {
  test("that waits ends immediately, and never starts", async () => {
    const { server, story, start } = await serverWithAgent("setInterval(() => {}, 1000)", {
      env: { MILLRACE_RUN_CONCURRENCY: "1" },
    });
    const working = await start();
    const waiting = await start();
    expect(await server.api("POST", `/agent/runs/${waiting}/cancel`)).toBe(waiting);
    const run = await story.run(waiting);
    expect(run).toMatchObject({ state: "CANCELLED", started_at: null, finished_at: expect.any(String) });
    const { events } = await server.api<{ events: { event_type: string }[] }>(
      "GET",
      `/agent/runs/${waiting}/timeline`,
    );
    expect(events.map(({ event_type }) => event_type)).toEqual(["oz_run_created", "oz_run_cancelled"]);
    await server.api("POST", `/agent/runs/${working}/cancel`);
    expect((await story.ended(working)).state).toBe("CANCELLED");
  });

  test("that works ends when no process of its agent is left, and keeps what was written", async () => {
    const folder = temporaryFolder();
    const { server, story, start } = await serverWithAgent(deafAgent(folder));
    const id = await start();
    await waitFor(() => existsSync(join(folder, "pids")));
    const pids = await waitFor(() => {
      const numbers = readFileSync(join(folder, "pids"), "utf8").split(" ").map(Number);
      return numbers.length === 2 ? numbers : undefined;
    });
    expect(await server.api("POST", `/agent/runs/${id}/cancel`)).toBe(id);
    // Asked once more while it ends: the same answer.
    expect(await server.api("POST", `/agent/runs/${id}/cancel`)).toBe(id);
    const run = await story.ended(id);
    expect(run.state).toBe("CANCELLED");
    expect(run.status_message).toBeUndefined();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(await story.transcript(id)).toContain("at work");
  });

  test("ends after a crash too, however far it had come", async () => {
    const folder = temporaryFolder();
    const before = await serverWithAgent(deafAgent(folder), { sharesProcess: false });
    const { server, start } = before;
    const id = await start();
    await waitFor(() => existsSync(join(folder, "pids")));
    await server.api("POST", `/agent/runs/${id}/cancel`);
    await server.kill();
    const again = await serverWithAgent("", { before });
    expect((await again.story.ended(id)).state).toBe("CANCELLED");
    expect(readFileSync(join(folder, "pids"), "utf8").split(" ").map(Number).filter(isRunning)).toEqual([]);
  });
});

describe("the answer to a cancel", () => {
  test("is a bare id, whatever the empty body is said to be", async () => {
    const { server, start } = await serverWithAgent("setInterval(() => {}, 1000)");
    const id = await start();
    const headers = { "content-type": "application/json" };
    const answer = await ask(server, "POST", `/agent/runs/${id}/cancel`, { headers, raw: "" });
    expect([answer.status, answer.headers.get("content-type"), answer.body.text]).toEqual([
      200,
      expect.stringContaining("application/json"),
      JSON.stringify(id),
    ]);
  });

  test("is a refusal for a run that has ended, does not exist, or belongs to another", async () => {
    const { server, story, start } = await serverWithAgent("");
    const id = await start();
    await story.ended(id);
    const ended = await ask(server, "POST", `/agent/runs/${id}/cancel`);
    expect([ended.status, ended.body.detail]).toEqual([400, expect.stringContaining("SUCCEEDED")]);
    const unknown = "01a1fe22-6744-70ce-94a0-348515e54587";
    expect((await ask(server, "POST", `/agent/runs/${unknown}/cancel`)).status).toBe(404);
    expect((await ask(server, "POST", "/agent/runs/x/cancel")).status).toBe(400);
  });
});
