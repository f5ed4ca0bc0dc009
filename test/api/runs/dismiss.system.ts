import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { isRunning } from "../../given/processes.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";

/** Asks, and stays when its prompt asks for that; a polite end is not heard. */
const ASKING = `
  import { readFileSync, writeFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  process.on("SIGTERM", () => {});
  const { MILLRACE_API_URL: url, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  writeFileSync("pid", String(process.pid));
  writeFileSync("turn.txt", process.env.MILLRACE_TURN);
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  await fetch(url + "/api/v1/agent/runs/" + id + "/blocked",
    { method: "POST", headers, body: JSON.stringify({ message: "Which one?" }) });
  if (prompt.includes("Stay.")) setInterval(() => {}, 1000);`;

interface Event {
  event_type: string;
  payload: { by?: string; reason?: string };
}

async function asking(options: { sharesProcess?: boolean } = {}) {
  const given = await serverWithAgent(ASKING, options);
  const { server, start, story } = given;
  return {
    ...given,
    async blocked(prompt: string, isAtWork: boolean) {
      const id = await start({ prompt });
      await waitFor(async () => {
        const run = await story.run(id);
        return run.state === "BLOCKED" && run.is_sandbox_running === isAtWork;
      });
      return id;
    },
    dismiss: (id: string, body: object = {}, key = ADMIN_KEY) =>
      ask(server, "POST", `/agent/runs/${id}/dismiss`, { body, key }),
    inWorkspace: (id: string, name: string) =>
      readFileSync(join(server.dataDir, "workspaces", id, name), "utf8"),
    events: async (id: string) =>
      (await server.api<{ events: Event[] }>("GET", `/agent/runs/${id}/timeline`)).events,
  };
}

const stage = sharedByFile(() => asking());

describe("a blocked run", () => {
  test("whose agent has ended is dismissed without starting it again, and tells who ended it and why", async () => {
    const { blocked, dismiss, inWorkspace, events, server, story } = stage();
    const id = await blocked("Do it.", false);
    const { status, body } = await dismiss(id, { reason: "No longer needed." });
    expect(status).toBe(200);
    const name = (await story.run(id)).creator.display_name;
    expect(body).toMatchObject({
      run_id: id,
      state: "CANCELLED",
      finished_at: expect.any(String),
      status_message: { message: `Dismissed by ${name}: No longer needed.` },
    });
    expect(inWorkspace(id, "turn.txt")).toBe("1");
    const told = await events(id);
    expect(told.map(({ event_type }) => event_type)).toEqual([
      "oz_run_created",
      "oz_run_claimed",
      "agent_started",
      "oz_run_blocked",
      "oz_run_cancelled",
    ]);
    expect(told.at(-1)?.payload).toMatchObject({ by: name, reason: "No longer needed." });
    const { audit_log } = await server.api<{ audit_log: object[] }>("GET", "/audit-log");
    expect(
      JSON.stringify(audit_log.find((record) => JSON.stringify(record).includes("dismissRun"))),
    ).toContain(id);
  });

  test("whose agent waits for the answer is dismissed when the agent is gone", async () => {
    const { blocked, dismiss, inWorkspace } = stage();
    const id = await blocked("Stay.", true);
    const { status, body } = await dismiss(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: "CANCELLED", is_sandbox_running: false });
    expect(isRunning(Number(inWorkspace(id, "pid")))).toBe(false);
  });

  test("that is dismissed twice at once is dismissed once", async () => {
    const { blocked, dismiss, events } = stage();
    const id = await blocked("Do it.", false);
    const answers = await Promise.all([dismiss(id, { reason: "One." }), dismiss(id, { reason: "Two." })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await events(id)).filter(({ event_type }) => event_type === "oz_run_cancelled")).toHaveLength(1);
  });

  test("takes another turn after it was dismissed, and says no more that it was", async () => {
    const { blocked, dismiss, server, story, events } = stage();
    const id = await blocked("Do it.", false);
    await dismiss(id);
    await server.api("POST", `/agent/runs/${id}/followups`, { message: "After all." });
    await waitFor(async () => {
      const run = await story.run(id);
      return run.state === "BLOCKED" && !run.is_sandbox_running;
    });
    await dismiss(id);
    const ends = (await events(id)).filter(({ event_type }) => event_type === "oz_run_cancelled");
    expect(ends).toHaveLength(2);
  });

  test("cannot be cancelled, and the answer points to dismissing it", async () => {
    const { blocked, server } = stage();
    const id = await blocked("Do it.", false);
    const { status, body } = await ask(server, "POST", `/agent/runs/${id}/cancel`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ remedy: expect.stringContaining(`millrace runs dismiss ${id}`) });
  });

  test("cannot be deleted, and the answer points to dismissing it", async () => {
    const { blocked, server } = stage();
    const id = await blocked("Do it.", false);
    const { status, body } = await ask(server, "DELETE", `/agent/runs/${id}`);
    expect(status).toBe(409);
    expect(body).toMatchObject({ remedy: expect.stringContaining(`millrace runs dismiss ${id}`) });
  });

  test("is ended after a crash too, once it was dismissed", async () => {
    const before = await asking({ sharesProcess: false });
    const id = await before.blocked("Stay.", true);
    const answer = before.dismiss(id, { reason: "Gone." }).catch(() => undefined);
    // The agent is deaf: it is alive for five seconds after its end was asked for.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await before.server.kill();
    await answer;
    const after = await serverWithAgent(ASKING, { before });
    expect(await after.story.ended(id)).toMatchObject({
      state: "CANCELLED",
      status_message: { message: expect.stringMatching(/^Dismissed by .*: Gone\.$/) },
    });
  });
});

test("a run that is not blocked cannot be dismissed", async () => {
  const { run, server } = await serverWithAgent("");
  const { run_id } = await run();
  const { status, body } = await ask(server, "POST", `/agent/runs/${run_id}/dismiss`);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    detail: expect.stringContaining("SUCCEEDED"),
    remedy: expect.stringContaining("cancel"),
  });
  expect(existsSync(join(server.dataDir, "workspaces", run_id))).toBe(true);
});
