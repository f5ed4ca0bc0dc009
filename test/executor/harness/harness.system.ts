import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentNotice } from "../../../src/executor/harness/harness.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { folderWith } from "../../given/folder.ts";
import { failToStart } from "../../given/server.ts";

type Notice = Parameters<typeof agentNotice>;

describe("the notice of a missing agent command", () => {
  const agent = (name: string, type: string, workerHost?: string) => ({
    name,
    execution: { harness: { type }, ...(workerHost === undefined ? {} : { workerHost }) },
  });
  const automation = (name: string, of: string, type: string, enabled = true) => ({
    ...agent(name, type),
    ...{ agent: of, enabled },
  });
  const settings = { harnesses: {}, agentCommand: undefined, workers: "local" };
  function noticeOf(agents: unknown[], automations: unknown[] = [], config: object = settings) {
    const active = { definition: { agents, automations } };
    return agentNotice(...([config, [{ record: { name: "shop" }, active }]] as unknown as Notice));
  }

  test("names agents, and automations that have no harness although their agents have one", () => {
    const automations = [
      automation("nightly", "reviewer", "oz"),
      automation("off", "reviewer", "command", false),
      automation("of-foreman", "foreman", "oz"),
    ];
    const said = noticeOf([agent("foreman", "oz"), agent("reviewer", "claude")], automations);
    expect(said).toContain("for the agent foreman of shop, the automation nightly of shop: runs end");
    expect(said).toContain("claude, codex, gemini, opencode");
  });

  test("names three of many", () => {
    const said = noticeOf(["a", "b", "c", "d", "e"].map((name) => agent(name, "command")));
    expect(said).toContain("the agent a of shop, the agent b of shop, the agent c of shop, 2 more: runs end");
  });

  test("is not given where every agent and every enabled automation has a program", () => {
    const lacking = [agent("foreman", "oz")];
    expect(noticeOf([])).toBeUndefined();
    expect(noticeOf([agent("one", "codex")], [automation("off", "one", "oz", false)])).toBeUndefined();
    expect(noticeOf(lacking, [], { ...settings, agentCommand: ["agent"] })).toBeUndefined();
    expect(noticeOf(lacking, [], { ...settings, harnesses: { oz: { command: "agent" } } })).toBeUndefined();
  });

  test("is not given of what only workers execute", () => {
    expect(noticeOf([agent("foreman", "oz")], [], { ...settings, workers: "none" })).toBeUndefined();
    expect(noticeOf([agent("builder", "oz", "gpu")])).toBeUndefined();
    expect(noticeOf([agent("builder", "oz", "local")])).toContain("the agent builder of shop");
  });
});

describe("a server", () => {
  test("without an agent command says what to set", async () => {
    const { run } = await serverWithAgent("", { env: { MILLRACE_AGENT_COMMAND: "" } });
    expect(await run()).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringContaining("MILLRACE_AGENT_COMMAND"),
      },
    });
  });

  test("whose agent program is not there says so", async () => {
    const { run } = await serverWithAgent("", { env: { MILLRACE_AGENT_COMMAND: "no-such-program --x" } });
    expect(await run()).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringContaining(
          'The agent\'s program "no-such-program" was not found on the machine that executes the run.',
        ),
      },
    });
  });

  test.each(["none", "bwrap"])("whose agent program is not executable says so (%s)", async (sandbox) => {
    const program = join(folderWith({ "agent.sh": "#!/bin/sh\n" }), "agent.sh");
    chmodSync(program, 0o644);
    const env = { MILLRACE_AGENT_COMMAND: program, MILLRACE_SANDBOX: sandbox };
    const { run } = await serverWithAgent("", { env });
    const { state, status_message: said } = await run();
    expect([state, said?.error_code]).toEqual(["FAILED", "environment_setup_failed"]);
    expect(said?.message).toContain(`The agent's program "${program}" is not executable`);
    expect(said?.message).toContain(`chmod +x ${program}`);
  });

  test("whose agent program was not there asks the first that is there everything", async () => {
    const folder = folderWith({});
    const program = join(folder, "agent.sh");
    const env = { MILLRACE_AGENT_COMMAND: program, MILLRACE_SANDBOX: "none" };
    const { run, server, story } = await serverWithAgent("", { env });
    const { run_id } = await run();
    writeFileSync(program, "#!/bin/sh\ncat prompt.md\n", { mode: 0o755 });
    chmodSync(folder, 0o755);
    await server.api("POST", `/agent/runs/${run_id}/followups`, { message: "And this." });
    expect(await story.ended(run_id)).toMatchObject({ state: "SUCCEEDED" });
    expect(await story.transcript(run_id)).toMatch(/Do it\.\n\nAnd this\.\n$/);
  });

  test("runs an agent with the harness that its definition names", async () => {
    const files = {
      "agents/boss/agent.md":
        "---\nagentType: FOREMAN\nharness: { type: shouter, model: m, reasoningLevel: high }\n---\n",
    };
    const settings = join(
      folderWith({
        "m.yaml": `harnesses:\n  shouter: { command: [${process.execPath}, -e, "console.log('LOUD')"], stdin: none }\n`,
      }),
      "m.yaml",
    );
    const { run } = await serverWithAgent("console.log('quiet')", { files, args: ["--config", settings] });
    expect(await run()).toMatchObject({
      state: "SUCCEEDED",
      transcript: "LOUD\n",
      agent_config: { harness: { type: "shouter", model_id: "m", reasoning_level: "high" } },
    });
  });

  test("that lacks the harness of a definition warns, and its runs say what is missing", async () => {
    const files = {
      "agents/boss/agent.md": "---\nagentType: FOREMAN\nharness: { type: aider, model: m }\n---\n",
    };
    const { run, story } = await serverWithAgent("", { files });
    expect((await story.factory()).sync.problems).toContainEqual(
      expect.objectContaining({
        severity: "warning",
        message: expect.stringContaining('no harness "aider"'),
      }),
    );
    expect(await run()).toMatchObject({
      state: "FAILED",
      status_message: { message: expect.stringContaining('no harness "aider"') },
    });
  });
});

describe("a run whose agent cannot be started", () => {
  const grantsTwo = {
    "agents/boss/agent.md": "---\nagentType: FOREMAN\nsecrets: [A, B]\n---\n",
  };

  test("ends, and its message tells the reason and no secret", async () => {
    const file = join(folderWith({ SECRET: "hidden-value" }), "SECRET");
    const server = await serverWithAgent("", {
      files: grantsTwo,
      args: ["--config", settings(`secrets: { A: { file: ${file}, shared: true } }\n`)],
    });
    await server.story.setSecret("B", "value");
    await server.story.sync();
    writeFileSync(file, "hidden\0value");
    const ended = await server.run();
    expect(ended).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringMatching(
          /The secret file .* is not UTF-8 text, or contains a NUL character\.$/,
        ),
      },
    });
    expect(JSON.stringify(ended)).not.toContain("hidden");
  });

  test("ends when its secrets are more than an environment can carry", async () => {
    const many = Array.from({ length: 40 }, (_, index) => `S${index}`);
    const { story, run } = await serverWithAgent("", {
      files: { "agents/boss/agent.md": `---\nagentType: FOREMAN\nsecrets: [${many}]\n---\n` },
    });
    for (const name of many) await story.setSecret(name, "x".repeat(120_000));
    await story.sync();
    expect(await run()).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringContaining("too large in total"),
      },
    });
  });

  test("ends when its command is an empty word", async () => {
    const { run } = await serverWithAgent("", { env: { MILLRACE_AGENT_COMMAND: "''" } });
    expect(await run()).toMatchObject({
      state: "FAILED",
      status_message: { message: expect.stringContaining("its command is empty") },
    });
  });
});

test("settings whose harness has an empty word for its command are refused", async () => {
  const { code, said } = await failToStart([
    "--config",
    settings('harnesses: { shouter: { command: [""] } }\n'),
  ]);
  expect([code, said]).toEqual([2, expect.stringContaining("harnesses.shouter.command")]);
});

/** A settings file. */
function settings(text: string): string {
  return join(folderWith({ "m.yaml": text }), "m.yaml");
}
