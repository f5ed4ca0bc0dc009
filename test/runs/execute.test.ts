import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { type Files, folderWith, temporaryFolder } from "../given/folder.ts";
import { startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

/** A server with one agent, and a way to let it run. */
async function stage(
  agent: string,
  {
    files = {},
    env = {},
    args = [] as string[],
  }: { files?: Files; env?: Record<string, string>; args?: string[] } = {},
) {
  const server = await startServer({ sources: [folderWith({ ...FACTORY, ...files })], agent, env, args });
  const story = storyOf(server);
  await story.sync();
  return {
    server,
    story,
    start: async (body: object = {}) =>
      (await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it.", ...body })).run_id,
    async run(body: object = {}) {
      const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
        prompt: "Do it.",
        ...body,
      });
      return { ...(await story.ended(run_id)), transcript: await story.transcript(run_id) };
    },
  };
}

describe("an agent", () => {
  test("gets an environment built from nothing, with who it is and its granted secrets", async () => {
    const files = {
      "factory.yaml": `${FACTORY["factory.yaml"]}secrets: [SHARED, WEBHOOK_SECRET]\n`,
      "agents/boss/agent.md": "---\nagentType: FOREMAN\nsecrets: [OWN, MISSING]\n---\nYou do the work.\n",
      "webhooks/ci.yaml": "secretName: WEBHOOK_SECRET\n",
    };
    const agent = `console.log(JSON.stringify(Object.entries(process.env).map(([k, v]) => [k, v.split("").reverse().join("")])))`;
    const { server, story, run } = await stage(agent, {
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
      "PATH",
      "SHARED",
      "TERM",
      "TZ",
    ]);
  });

  test("finds its prompt, its configuration and its attachments in its own workspace", async () => {
    const agent = `
      import { readFileSync, readdirSync } from "node:fs";
      console.log(JSON.stringify({ files: readdirSync(".").sort(), cwd: process.cwd(), prompt: readFileSync("prompt.md", "utf8"),
        stdin: readFileSync(0, "utf8"), config: JSON.parse(readFileSync("agent.json")), picture: readFileSync("picture.png").toString("hex") }));`;
    const { server, run } = await stage(agent);
    const data = Buffer.from([0, 255, 1]).toString("base64");
    const ended = await run({
      title: "Mine",
      config: { model_id: "big" },
      attachments: [{ file_name: "picture.png", mime_type: "image/png", data }],
    });
    expect(JSON.parse(ended.transcript)).toEqual({
      files: ["agent.json", "picture.png", "prompt.md"],
      cwd: join(server.dataDir, "workspaces", ended.run_id),
      prompt: "You do the work.\n\nDo it.\n",
      stdin: "You do the work.\n\nDo it.",
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

  test("reaches its own run with its token, and nothing else", async () => {
    const agent = `
      const { MILLRACE_API_URL: url, MILLRACE_RUN_TOKEN: token, MILLRACE_RUN_ID: id } = process.env;
      const get = async (path, init) => (await fetch(url + "/api/v1" + path, { headers: { authorization: "Bearer " + token }, ...init })).status;
      console.log(JSON.stringify([await get("/agent/runs/" + id), await get("/agent/runs"), await get("/secrets"), await get("/agent/runs/f" + id.slice(1)), await get("/agent/runs", { method: "POST", body: '{"prompt":"x"}', headers: { authorization: "Bearer " + token } })]));`;
    const { run } = await stage(agent);
    expect(JSON.parse((await run()).transcript)).toEqual([200, 403, 403, 404, 403]);
  });

  test("that prints its secrets or its token is masked", async () => {
    const files = { "agents/boss/agent.md": "---\nagentType: FOREMAN\nsecrets: [OWN]\n---\n" };
    const agent = `console.log("a " + process.env.OWN + " b"); console.error(process.env.MILLRACE_RUN_TOKEN);`;
    const { story, run } = await stage(agent, { files });
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
        status_message: { error_code: "agent_process_failed", message: "The agent ended with exit code 3." },
      },
    ],
    [
      "is killed",
      "process.kill(process.pid, 'SIGKILL')",
      { state: "FAILED", status_message: { message: "The agent was ended by SIGKILL." } },
    ],
    ["throws", "throw new Error('no')", { state: "FAILED" }],
  ])("that %s ends its run accordingly", async (_, agent, expected) => {
    const { run } = await stage(agent);
    expect(await run()).toMatchObject(expected);
  });

  test("that runs too long is ended, and what it has started too", async () => {
    const witness = join(temporaryFolder(), "pid");
    const agent = `
      import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs";
      process.on("SIGTERM", () => {});
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
      writeFileSync(${JSON.stringify(witness)}, String(child.pid)); setInterval(() => {}, 1000);`;
    const { run } = await stage(agent, { env: { MILLRACE_RUN_TIMEOUT: "1s" } });
    expect(await run()).toMatchObject({
      state: "ERROR",
      status_message: {
        error_code: "infrastructure_timeout",
        message: expect.stringContaining("limit of 1 s"),
      },
    });
    const pid = readFileSync(witness, "utf8");
    await waitFor(() =>
      existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/status`, "utf8").includes("State:\tZ")
        ? undefined
        : true,
    );
  });

  test("that leaves a process holding its output does not keep its run from ending", async () => {
    const agent = `
      import { spawn } from "node:child_process";
      spawn("sh", ["-c", "unset MILLRACE_RUN_ID; exec env -i sleep 20"], { detached: true, stdio: ["ignore", "inherit", "inherit"] }).unref();
      console.log("done");`;
    const { run } = await stage(agent);
    expect(await run()).toMatchObject({ state: "SUCCEEDED", transcript: "done\n" });
  });

  test("never reads its input, or writes bytes that are no text, and nothing breaks", async () => {
    const { run, start, story } = await stage(`process.stdout.write(Buffer.from([0, 255, 254, 10]))`);
    expect((await run({ prompt: "x".repeat(900_000) })).state).toBe("SUCCEEDED");
    const id = await start();
    await story.ended(id);
    expect(await story.transcript(id)).toContain("\uFFFD");
  });

  test("writes while it runs, and can be read at once", async () => {
    const agent = `console.log("first"); await new Promise((resolve) => setTimeout(resolve, 60000));`;
    const { start, story } = await stage(agent);
    const id = await start();
    await waitFor(async () => (await story.transcript(id)) === "first\n");
    expect((await story.run(id)).state).toBe("INPROGRESS");
  });

  test("is followed as a stream, which goes on where it was left", async () => {
    const agent = `for (let n = 1; n <= 3; n += 1) { console.log(n); await new Promise((resolve) => setTimeout(resolve, 150)); }`;
    const { server, start } = await stage(agent);
    const id = await start();
    const follow = async (last?: string) => {
      const headers = {
        authorization: "Bearer test-admin-key-0123456789",
        ...(last ? { "last-event-id": last } : {}),
      };
      return (await server.fetch(`/api/v1/agent/runs/${id}/transcript?follow=true`, { headers })).text();
    };
    const events = await follow();
    const texts = [...events.matchAll(/"text":"(\d)\\n"/g)].map((match) => match[1]);
    expect(texts).toEqual(["1", "2", "3"]);
    expect(events).toMatch(/event: end\ndata: \{"state":"SUCCEEDED"\}\n\n$/);
    expect(await follow("2")).not.toMatch(/"text":"[12]/);
  });
});

describe("a server", () => {
  test("runs so many agents at once, and says when one has to wait", async () => {
    const folder = temporaryFolder();
    const agent = `
      import { existsSync, writeFileSync } from "node:fs";
      writeFileSync(${JSON.stringify(folder)} + "/" + process.env.MILLRACE_RUN_ID, "");
      while (!existsSync(${JSON.stringify(folder)} + "/go")) await new Promise((resolve) => setTimeout(resolve, 20));`;
    const { server, story } = await stage(agent, { env: { MILLRACE_RUN_CONCURRENCY: "2" } });
    const create = () =>
      server.api<{ run_id: string; at_capacity: boolean; state: string }>("POST", "/agent/run", {
        prompt: "x",
      });
    const first = await create();
    await waitFor(() => existsSync(join(folder, first.run_id)));
    const second = await create();
    await waitFor(() => existsSync(join(folder, second.run_id)));
    const third = await create();
    expect([first, second, third].map(({ at_capacity, state }) => [at_capacity, state])).toEqual([
      [false, "QUEUED"],
      [false, "QUEUED"],
      [true, "QUEUED"],
    ]);
    expect((await story.run(third.run_id)).state).toBe("QUEUED");
    const { writeFileSync } = await import("node:fs");
    writeFileSync(join(folder, "go"), "");
    expect((await story.ended(third.run_id)).state).toBe("SUCCEEDED");
  });

  test("without an agent command says what to set", async () => {
    const { run } = await stage("", { env: { MILLRACE_AGENT_COMMAND: "" } });
    expect(await run()).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringContaining("MILLRACE_AGENT_COMMAND"),
      },
    });
  });

  test("whose agent program is not there says so", async () => {
    const { run } = await stage("", { env: { MILLRACE_AGENT_COMMAND: "no-such-program --x" } });
    expect(await run()).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: 'The agent\'s program "no-such-program" is not on this server.',
      },
    });
  });

  test("runs an agent with the harness that its definition names", async () => {
    const files = {
      "agents/boss/agent.md": "---\nagentType: FOREMAN\nharness: { type: shouter, model: m }\n---\n",
    };
    const settings = join(
      folderWith({
        "m.yaml": `harnesses:\n  shouter: { command: [${process.execPath}, -e, "console.log('LOUD')"], stdin: none }\n`,
      }),
      "m.yaml",
    );
    const { run } = await stage("console.log('quiet')", { files, args: ["--config", settings] });
    expect(await run()).toMatchObject({
      state: "SUCCEEDED",
      transcript: "LOUD\n",
      agent_config: { harness: { type: "shouter", model_id: "m" } },
    });
  });

  test("that lacks the harness of a definition warns, and its runs say what is missing", async () => {
    const files = {
      "agents/boss/agent.md": "---\nagentType: FOREMAN\nharness: { type: claude, model: m }\n---\n",
    };
    const { run, story } = await stage("", { files });
    expect((await story.factory()).sync.problems).toContainEqual(
      expect.objectContaining({
        severity: "warning",
        message: expect.stringContaining('no harness "claude"'),
      }),
    );
    expect(await run()).toMatchObject({
      state: "FAILED",
      status_message: { message: expect.stringContaining('no harness "claude"') },
    });
  });
});
