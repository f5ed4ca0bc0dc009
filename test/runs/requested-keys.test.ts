import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { withFactoryLines } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import type { Run } from "../given/story.ts";

/** A program that says which key it has been given, under the name of claude. */
const PROGRAM = `
  const { ANTHROPIC_API_KEY: key = "", ALLOWED } = process.env;
  console.log("key of " + key.length + " characters, " + (key === ALLOWED ? "the granted one" : "another"));`;

const stage = sharedByFile(async () => {
  const folder = folderWith({ "program.mjs": PROGRAM });
  const command = JSON.stringify([process.execPath, join(folder, "program.mjs")]);
  const settings = `harnesses: { claude: { command: ${command}, keyVariables: [ANTHROPIC_API_KEY] } }\n`;
  const config = join(folderWith({ "millrace.yaml": settings }), "millrace.yaml");
  const served = await serverWithAgent("process.exit(1)", {
    files: withFactoryLines("secrets: [ALLOWED]\n"),
    args: ["--config", config],
  });
  await served.story.setSecret("ALLOWED", "a".repeat(31));
  await served.story.setSecret("WITHHELD", "w".repeat(32));
  await served.story.sync();
  return served;
});

const claude = (config: object) => stage().run({ config: { harness: { type: "claude" }, ...config } });

async function refusal(config: object) {
  const answer = await stage().server.fetch("/api/v1/agent/runs", {
    method: "POST",
    headers: { authorization: "Bearer test-admin-key-0123456789" },
    body: JSON.stringify({ prompt: "Do it.", config }),
  });
  const { field } = (await answer.json()) as { field?: string };
  return [answer.status, field];
}

describe("the key of a program that a request names", () => {
  test("is given to the program, under either of its names", async () => {
    const listed = { harness_auth_secrets: { claude_auth_secret_name: "ALLOWED" } };
    const direct = { harness: { type: "claude", auth_secret_name: "ALLOWED" } };
    for (const config of [listed, direct]) {
      expect((await claude(config)).transcript).toContain("key of 31 characters, the granted one");
    }
  });

  test("is shown by its name in the configuration of the run", async () => {
    const run: Run = await claude({ harness_auth_secrets: { claude_auth_secret_name: "ALLOWED" } });
    expect(run.agent_config.harness).toMatchObject({ type: "claude", auth_secret_name: "ALLOWED" });
  });

  test("counts for its own program only", async () => {
    const run = await claude({ harness_auth_secrets: { codex_auth_secret_name: "WITHHELD" } });
    expect(run.transcript).toContain("key of 0 characters");
  });

  test("is one that the agent is granted: the permission to start runs gives access to no other secret", async () => {
    expect(await refusal({ harness: { type: "claude", auth_secret_name: "WITHHELD" } })).toEqual([
      403,
      "config.harness.auth_secret_name",
    ]);
    const listed = { claude_auth_secret_name: "WITHHELD" };
    expect(await refusal({ harness: { type: "claude" }, harness_auth_secrets: listed })).toEqual([
      403,
      "config.harness_auth_secrets.claude_auth_secret_name",
    ]);
  });

  test("can be that of an agent made over the API, with its prompt and its model", async () => {
    const { server, run } = stage();
    const { uid } = await server.api<{ uid: string }>("POST", "/agent/identities", {
      name: "keyed",
      prompt: "You are keyed.",
      base_model: "opus",
      harness: { type: "claude", auth_secret_name: "WITHHELD" },
    });
    const { transcript, agent_config } = await run({ agent_identity_uid: uid });
    expect(transcript).toContain("key of 32 characters, another");
    expect(agent_config).toMatchObject({ name: "keyed", base_prompt: "You are keyed.", model_id: "opus" });
    await server.api("PUT", `/agent/identities/${uid}`, { base_model: "", harness: {}, prompt: "" });
    const cleared = await server.api("GET", `/agent/identities/${uid}`);
    expect(Object.keys(cleared)).not.toEqual(expect.arrayContaining(["prompt"]));
    expect(cleared).not.toHaveProperty("harness");
  });
});

describe("a schedule that names an agent", () => {
  test("goes over to another one, and keeps its metadata when a client does not know of it", async () => {
    const { server } = stage();
    const agent = async (name: string) =>
      (await server.api<{ uid: string }>("POST", "/agent/identities", { name })).uid;
    const [first, second] = [await agent("first"), await agent("second")];
    const schedule = { name: "daily", cron_schedule: "@daily", prompt: "Look.", enabled: true };
    const made = await server.api<{ id: string }>("POST", "/agent/schedules", {
      ...schedule,
      agent_uid: first,
      metadata: { team: "shop" },
    });
    const path = `/agent/schedules/${made.id}`;
    expect(await server.api("PUT", path, { ...schedule, agent_uid: second })).toMatchObject({
      agent_uid: second,
      metadata: { team: "shop" },
    });
    expect(await server.api("PUT", path, { ...schedule, metadata: {} })).toMatchObject({
      agent_uid: second,
      metadata: {},
    });
  });

  test("marks its runs with its metadata, and leads back to itself", async () => {
    const { server, story } = stage();
    await server.api("POST", "/agent/schedules", {
      name: "often",
      cron_schedule: "@every 1s",
      prompt: "Look.",
      metadata: { team: "shop" },
    });
    await expect
      .poll(async () => (await story.runs()).find(({ title }) => title === "often"), { timeout: 20_000 })
      .toMatchObject({ metadata: { team: "shop" }, trigger_url: `${server.url}/schedules` });
  });

  test("has one mode", async () => {
    const schedule = { name: "planned", cron_schedule: "@daily", prompt: "Look.", mode: "plan" };
    await expect(stage().server.api("POST", "/agent/schedules", schedule)).rejects.toThrow("answered 422");
  });
});
