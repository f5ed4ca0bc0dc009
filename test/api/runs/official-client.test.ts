import OzAPI from "oz-agent-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { ozClient } from "../../given/other-clients.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";

type FollowUp = components["schemas"]["RunFollowupResponse"];

/** Stays when it is asked to. */
const AGENT = `
  import { readFileSync } from "node:fs";
  if (readFileSync("prompt.md", "utf8").includes("Stay.")) setInterval(() => {}, 1000);
  else console.log("done");`;

const stage = sharedByFile(() => serverWithAgent(AGENT));
const client = () => ozClient(stage().server);
const ended = (id: string) => stage().story.ended(id);

async function working(): Promise<string> {
  const { run_id } = await client().agent.run({ prompt: "Stay." });
  await waitFor(async () => (await client().agent.runs.retrieve(run_id)).state === "INPROGRESS");
  return run_id;
}

describe("the official client", () => {
  afterEach(() => vi.unstubAllEnvs());

  test("finds the server and its key in its own environment variables", async () => {
    vi.stubEnv("WARP_API_KEY", ADMIN_KEY);
    vi.stubEnv("OZ_API_BASE_URL", `${stage().server.url}/api/v1`);
    const { agent } = new OzAPI();
    const { run_id } = await agent.run({ prompt: "Do it." });
    expect((await agent.runs.retrieve(run_id)).prompt).toBe("Do it.");
  });

  test("starts a run and reads it until it has ended well", async () => {
    const started = await client().agent.run({
      prompt: "Summarise – naïvely.\nThen stop.",
      title: "a summary",
      team: true,
      config: {
        name: "reviewer",
        base_prompt: "You review.",
        model_id: "m",
        mcp_servers: { docs: { command: "mcp", args: ["--stdio"], env: { A: "b" } } },
      },
      images: [{ mime_type: "image/png", data: Buffer.from("picture").toString("base64") }],
    });
    expect(started).toEqual({
      run_id: started.task_id,
      task_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      state: "QUEUED",
      at_capacity: expect.any(Boolean),
    });
    await ended(started.run_id);
    expect(await client().agent.runs.retrieve(started.run_id)).toMatchObject({
      run_id: started.run_id,
      task_id: started.run_id,
      title: "a summary",
      prompt: "Summarise – naïvely.\nThen stop.",
      state: "SUCCEEDED",
      source: "API",
      creator: { type: "user", uid: expect.any(String), display_name: "admin" },
      agent_config: {
        name: "reviewer",
        base_prompt: "You review.",
        mcp_servers: { docs: { command: "mcp", args: ["--stdio"], env: { A: "b" } } },
      },
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      session_link: `${stage().server.url}/runs/${started.run_id}`,
      is_sandbox_running: false,
      scope: { type: "Team" },
      started_at: expect.any(String),
    });
  });

  test("may give a prompt or a skill alone", async () => {
    await client().agent.run({ prompt: "Do it." });
    await client().agent.run({ skill: "acme/shop:review" });
    await client().agent.run({ config: { skill_spec: "acme/shop:review" } });
    await expect(client().agent.run({ title: "neither" })).rejects.toThrow(OzAPI.BadRequestError);
  });

  test("cancels a run, and gets its id as bare text", async () => {
    const id = await working();
    expect(await client().agent.runs.cancel(id)).toBe(id);
    expect((await ended(id)).state).toBe("CANCELLED");
    expect((await client().agent.runs.retrieve(id)).state).toBe("CANCELLED");
    await expect(client().agent.runs.cancel(id)).rejects.toThrow(OzAPI.BadRequestError);
  });

  test("finds a run under its id in any case", async () => {
    const { run_id } = await client().agent.run({ prompt: "Do it." });
    expect((await client().agent.runs.retrieve(run_id.toUpperCase())).run_id).toBe(run_id);
  });
});

describe("a follow-up through the official client", () => {
  const followUp = (id: string, body: object) =>
    client().post<FollowUp>(`/agent/runs/${id}/followups`, { body });

  test("gets the answer that a run that has ended continues", async () => {
    const { run_id } = await client().agent.run({ prompt: "Do it." });
    await ended(run_id);
    expect(await followUp(run_id, { message: "And now this.", mode: "normal" })).toEqual({
      followup_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      outcome: "handoff_execution",
    });
  });

  test("gets the answer that a message to a working run waits", async () => {
    const id = await working();
    expect(await followUp(id, { message: "And then this." })).toEqual({
      followup_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      outcome: "queue_pending",
    });
    await client().agent.runs.cancel(id);
  });

  test("without a message is refused", async () => {
    const { run_id } = await client().agent.run({ prompt: "Do it." });
    await expect(followUp(run_id, {})).rejects.toThrow(OzAPI.BadRequestError);
    await expect(followUp(run_id, { message: "" })).rejects.toThrow(OzAPI.BadRequestError);
  });
});

describe("the official client's raw responses", () => {
  test("come as they are", async () => {
    const response = await client().agent.runs.list({ limit: 1 }).asResponse();
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
    expect(await response.json()).toMatchObject({ runs: expect.any(Array), page_info: expect.any(Object) });
  });

  test("come together with their parsed data", async () => {
    const { data, response } = await client().agent.run({ prompt: "Do it." }).withResponse();
    expect([response.status, data.state]).toEqual([200, "QUEUED"]);
  });

  test("of a cancel are JSON, a text in quotes", async () => {
    const id = await working();
    const response = await client().agent.runs.cancel(id).asResponse();
    expect(response.headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(await response.text()).toBe(JSON.stringify(id));
  });
});
