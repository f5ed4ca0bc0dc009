import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent, TOLD_OF_COMMAND } from "../../given/agent.ts";
import { FACTORY } from "../../given/definition.ts";
import { aWaitingFamily, processesOf } from "../../given/family.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";

describe("an agent", () => {
  test("gets an environment built from nothing, with who it is and its granted secrets", async () => {
    const files = {
      "factory.yaml": `${FACTORY["factory.yaml"]}secrets: [SHARED, WEBHOOK_SECRET]\n`,
      "agents/boss/agent.md": "---\nagentType: FOREMAN\nsecrets: [OWN]\n---\nYou do the work.\n",
      "webhooks/ci.yaml": "secretName: WEBHOOK_SECRET\n",
    };
    const agent = `console.log(JSON.stringify(Object.entries(process.env).map(([k, v]) => [k, v.split("").reverse().join("")])))`;
    const { server, story, run } = await serverWithAgent(agent, {
      files,
      env: { SERVER_VARIABLE: "x", TZ: "UTC", LANG: "C", TERM: "dumb" },
    });
    for (const name of ["SHARED", "OWN", "UNUSED", "WEBHOOK_SECRET"])
      await story.setSecret(name, `value-of-${name}`);
    await story.sync();
    const ended = await run();
    const seen = Object.fromEntries(
      JSON.parse(ended.transcript).map(([name, value]: [string, string]) => [
        name,
        value.split("").reverse().join(""),
      ]),
    );
    expect(seen).toMatchObject({
      SHARED: "value-of-SHARED",
      OWN: "value-of-OWN",
      MILLRACE_RUN_ID: ended.run_id,
      MILLRACE_TURN: "1",
      MILLRACE_API_URL: server.url,
      MILLRACE_RUN_TOKEN: expect.stringMatching(/^mrt_/),
      TZ: "UTC",
      LANG: "C",
      TERM: "dumb",
      HOME: join(server.dataDir, "workspaces", ended.run_id),
      MILLRACE_PROMPT_FILE: join(server.dataDir, "workspaces", ended.run_id, "prompt.md"),
    });
    expect(Object.keys(seen).sort()).toEqual([
      "HOME",
      "LANG",
      "MILLRACE_API_URL",
      "MILLRACE_PROMPT_FILE",
      "MILLRACE_RUN_ID",
      "MILLRACE_RUN_TOKEN",
      "MILLRACE_TURN",
      "OWN",
      "OZ_RUN_ID",
      "PATH",
      "SHARED",
      "TERM",
      "TZ",
      "WARP_API_KEY",
      "WARP_FACTORY_ID",
      "WARP_FACTORY_ORIGIN",
      "WARP_SERVER_ROOT_URL",
      "WORKSPACE_ROOT",
    ]);
  });

  test("finds its prompt, its configuration and its attachments in its own workspace", async () => {
    const agent = `
      import { readFileSync, readdirSync } from "node:fs";
      console.log(JSON.stringify({ files: readdirSync(".").sort(), cwd: process.cwd(), prompt: readFileSync("prompt.md", "utf8"),
        stdin: readFileSync(0, "utf8"), config: JSON.parse(readFileSync("agent.json")), picture: readFileSync("picture.png").toString("hex") }));`;
    const { server, run } = await serverWithAgent(agent);
    const data = Buffer.from([0, 255, 1]).toString("base64");
    const ended = await run({
      title: "Mine",
      config: { model_id: "big" },
      attachments: [{ file_name: "picture.png", mime_type: "image/png", data }],
    });
    expect(JSON.parse(ended.transcript)).toEqual({
      files: ["agent.json", "mcp.json", "picture.png", "prompt.md"],
      cwd: join(server.dataDir, "workspaces", ended.run_id),
      prompt: `${TOLD_OF_COMMAND}You do the work.\n\nDo it.\n`,
      stdin: `${TOLD_OF_COMMAND}You do the work.\n\nDo it.`,
      config: ended.agent_config,
      picture: "00ff01",
    });
    expect(ended).toMatchObject({
      title: "Mine",
      source: "API",
      agent_config: { model_id: "big", base_prompt: "You do the work." },
    });
    expect(statSync(join(server.dataDir, "workspaces", ended.run_id)).mode & 0o777).toBe(0o700);
  });

  test("reads its prompt and the request with one empty line between them", async () => {
    const files = { "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\n\n\nYou do\n\nthe work.\n\n\n" };
    const agent = `import { readFileSync } from "node:fs"; process.stdout.write(readFileSync("prompt.md", "utf8"));`;
    const { run } = await serverWithAgent(agent, { files });
    expect((await run({ prompt: "\nDo it.\n" })).transcript).toBe(
      `${TOLD_OF_COMMAND}You do\n\nthe work.\n\nDo it.\n`,
    );
  });

  test("reaches its own run and what descends from it with its token, and nothing else", async () => {
    const agent = `
      const { MILLRACE_API_URL: url, MILLRACE_RUN_TOKEN: token, MILLRACE_RUN_ID: id } = process.env;
      const get = async (path, init) => (await fetch(url + "/api/v1" + path, { headers: { authorization: "Bearer " + token }, ...init })).status;
      console.log(JSON.stringify([await get("/agent/runs/" + id), await get("/agent/runs"), await get("/secrets"), await get("/agent/runs/f" + id.slice(1)), await get("/agent/runs", { method: "POST", body: '{"prompt":"x"}', headers: { authorization: "Bearer " + token } })]));`;
    const { run } = await serverWithAgent(agent);
    expect(JSON.parse((await run()).transcript)).toEqual([200, 200, 403, 404, 400]);
  });

  test("that prints its secrets or its token is masked", async () => {
    const files = { "agents/boss/agent.md": "---\nagentType: FOREMAN\nsecrets: [OWN]\n---\n" };
    const agent = `console.log("a " + process.env.OWN + " b"); console.error(process.env.MILLRACE_RUN_TOKEN);`;
    const { story, run } = await serverWithAgent(agent, { files });
    await story.setSecret("OWN", "the-value-of-own");
    await story.sync();
    const { transcript } = await run();
    expect(transcript.split("\n").sort()).toEqual(["", "********", "a ******** b"]);
  });

  test.each([
    ["exits with 0", "process.exit(0)", { state: "SUCCEEDED" }],
    [
      "exits with 3",
      "process.exit(3)",
      {
        state: "FAILED",
        status_message: { error_code: "agent_process_failed", message: "The agent exited with code 3." },
      },
    ],
    [
      "is killed",
      "process.kill(process.pid, 'SIGKILL')",
      { state: "FAILED", status_message: { message: "The agent was killed by SIGKILL." } },
    ],
    ["throws", "throw new Error('no')", { state: "FAILED" }],
  ])("that %s ends its run accordingly", async (_, agent, expected) => {
    const { run } = await serverWithAgent(agent);
    expect(await run()).toMatchObject(expected);
  });
});

/** Names its session as claude does, and keeps what it was started with. */
const program = (told: string) => `
  import { readFileSync, writeFileSync } from "node:fs";
  const asked = { words: process.argv.slice(2), prompt: readFileSync(0, "utf8") };
  writeFileSync(${JSON.stringify(`${told}/`)} + process.env.MILLRACE_TURN, JSON.stringify(asked));
  console.log(JSON.stringify({ type: "system", subtype: "init", session_id: "session-1" }));
  console.log(JSON.stringify({ type: "result", subtype: "success", result: "It is done." }));`;

test("a later turn whose workspace is gone starts a new session with the agent's own prompt and the conversation so far", async () => {
  const told = temporaryFolder();
  const script = join(folderWith({ "agent.mjs": program(told) }), "agent.mjs");
  const resume = [process.execPath, script, "--resume", "{session}"];
  const harnesses = { told: { command: [process.execPath, script], resume, output: "claude" } };
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses }) }), "m.yaml");
  const { server, story, start } = await serverWithAgent("", { args: ["--config", config] });
  const id = await start({ config: { harness: { type: "told" }, base_prompt: "You do the work." } });
  await story.ended(id);
  const turn = async (count: number, message: string) => {
    await server.api("POST", `/agent/runs/${id}/followups`, { message });
    await waitFor(async () => (await story.timeline(id)).filter(isStart).length === count || undefined);
    await story.ended(id);
    return JSON.parse(readFileSync(join(told, String(count)), "utf8"));
  };
  expect(await turn(2, "Go on.")).toEqual({ words: ["--resume", "session-1"], prompt: "Go on." });

  rmSync(join(server.dataDir, "workspaces", id), { recursive: true });
  const { words, prompt } = await turn(3, "And on.");
  expect(words).toEqual([]);
  expect(prompt).toContain("You do the work.\n\n[millrace: This run has had earlier turns");
  expect(prompt).toContain("> Turn 2, answer of the agent:\n> It is done.");
  expect(prompt.endsWith("\n\nAnd on.")).toBe(true);
  expect(await story.transcript(id)).toContain(
    "[millrace: the workspace of the previous turns was removed; this turn starts in a new one, and its prompt contains the conversation so far]",
  );
  expect((await turn(4, "Last.")).words).toEqual(["--resume", "session-1"]);
});

const isStart = ({ event_type }: { event_type: string }) => event_type === "agent_started";

test("a run that waits gives its place to the runs that it has started, and reads their answers in its next turn", async () => {
  const { wait, touch, resting, story, parent, children, types } = await aWaitingFamily([
    "one",
    "two",
    "three",
  ]);
  expect(await wait()).toMatchObject({
    state: "waiting",
    runs: ["one", "two", "three"].map((title) => ({ title, state: "QUEUED", answer: null })),
  });
  expect(await story.run(parent)).toMatchObject({ is_sandbox_running: true, waiting_for: children });
  expect(processesOf(parent)).not.toEqual([]);
  touch("exit");
  expect(await resting()).toMatchObject({ waiting_for: children, finished_at: null });
  expect(processesOf(parent)).toEqual([]);
  for (const name of ["one", "two", "three"]) touch(name);
  const ended = await story.ended(parent);
  expect(ended).toMatchObject({ state: "SUCCEEDED" });
  expect(ended.waiting_for).toBeUndefined();
  for (const name of ["one", "two", "three"]) expect(ended.answer).toContain(`> answer of ${name}`);
  expect(await types(parent)).toEqual([
    ...["oz_run_created", "oz_run_claimed", "agent_started", "oz_run_waiting"],
    ...["oz_run_claimed", "agent_started", "oz_run_done"],
  ]);
});

test("a wait is held open until its runs have ended, and then begins no turn; keys cannot wait", async () => {
  const { wait, touch, server, story, parent, children, types } = await aWaitingFamily(["one"], {
    atOnce: 2,
  });
  await expect(server.api("POST", `/agent/runs/${parent}/wait`)).rejects.toThrow(
    "Only the run's own agent can report this.",
  );
  const waiting = wait({ hold_seconds: 30 });
  await waitFor(async () => (await story.run(parent)).waiting_for);
  touch("one");
  const [child = ""] = children;
  expect(await waiting).toEqual({
    state: "done",
    runs: [
      expect.objectContaining({
        run_id: child,
        agent: "boss",
        state: "SUCCEEDED",
        answer: "answer of one",
      }),
    ],
  });
  touch("exit");
  expect(await story.ended(parent)).toMatchObject({ state: "SUCCEEDED" });
  expect(await types(parent)).not.toContain("oz_run_waiting");
});
