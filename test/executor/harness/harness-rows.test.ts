import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import type { HarnessSetting } from "../../../src/config/harness-setting.ts";
import type { Harness } from "../../../src/definitions/definition.ts";
import { harnessEnvironment, keyOf } from "../../../src/executor/harness/guarded-key.ts";
import { createHarnesses } from "../../../src/executor/harness/harness.ts";
import { writeHarnessFiles } from "../../../src/executor/harness/harness-files.ts";
import { liveInput, turnCommand } from "../../../src/executor/harness/turn-command.ts";
import { openHarnessKey } from "../../../src/runs/turn/assign-turn.ts";
import { folderWith } from "../../given/folder.ts";

/** The row of a harness, with the settings of a server. */
function row(type: string, harnesses: Record<string, HarnessSetting> = {}) {
  const found = createHarnesses({ agentCommand: undefined, harnesses }).find({ type });
  if ("missing" in found) throw new Error(found.missing);
  return found;
}

/** The words of a turn of a run. */
function words(
  type: string,
  {
    session = null as string | null,
    model = "",
    level = "",
    mcp = false,
    live = false,
    schema = undefined as object | undefined,
  } = {},
) {
  const harness = { type, ...(model ? { model } : {}), ...(level ? { reasoningLevel: level } : {}) };
  const run = { harnessSession: session, execution: { harness, secrets: [] } };
  return turnCommand(row(type), { run, hasMcpServers: mcp, isLive: live, schema: schema as never });
}

/** A schema that OpenAI takes, but for what its key may be. */
const STRICT = (a: object) => ({
  type: "object",
  required: ["a"],
  properties: { a },
  additionalProperties: false,
});

describe("the words of a turn", () => {
  test("hand over the model, the reasoning and the MCP servers where there are any", () => {
    expect(words("claude")).not.toContain("--model");
    const all = words("claude", { model: "opus; rm -rf /", level: "high", mcp: true });
    expect(all.slice(-7)).toEqual([
      "--model",
      "opus; rm -rf /",
      "--effort",
      "high",
      "--mcp-config",
      "mcp.json",
      "--strict-mcp-config",
    ]);
  });

  test("go on with the session of the turn before, and what stands for standard input stays last", () => {
    expect(words("claude", { session: "s-1" })).toEqual(expect.arrayContaining(["--resume", "s-1"]));
    expect(words("gemini", { session: "u-1" }).slice(-2)).toEqual(["--resume", "u-1"]);
    const opencode = words("opencode", { session: "ses_1", model: "a/m", level: "high" });
    expect(opencode.slice(-6)).toEqual(["--session", "ses_1", "--model", "a/m", "--variant", "high"]);
    const codex = words("codex", { session: "t-1", model: "m" });
    expect(codex.slice(0, 3)).toEqual(["codex", "exec", "resume"]);
    expect(codex.slice(-4)).toEqual(["t-1", "--model", "m", "-"]);
  });

  test("hand the schema of the answer over where the program takes it", () => {
    const strict = {
      type: "object",
      required: ["verdict"],
      properties: { verdict: { enum: ["pass; rm -rf /"] } },
      additionalProperties: false,
    };
    expect(words("claude", { schema: strict }).slice(-2)).toEqual(["--json-schema", JSON.stringify(strict)]);
    const codex = words("codex", { schema: strict, session: "t-1" });
    expect(codex.slice(0, 5)).toEqual(["codex", "exec", "--output-schema", "output-schema.json", "resume"]);
    expect(codex.at(-1)).toBe("-");
    expect(words("gemini", { schema: strict })).toEqual(words("gemini"));
  });

  test.each([
    ["of no object", "claude", { type: "array" }],
    ["of no object", "codex", { type: "array", items: { type: "string" } }],
    ["with optional keys", "codex", { type: "object", properties: { a: {} }, additionalProperties: false }],
    ["with free keys", "codex", { type: "object", properties: {}, required: [] }],
    ["with a pattern", "codex", STRICT({ type: "string", pattern: "a" })],
    ["with a loose part", "codex", STRICT({ anyOf: [{ type: "object" }] })],
  ])("keep a schema %s from %s, which would refuse it", (_, type, schema) => {
    expect(words(type, { schema })).toEqual(words(type));
  });

  test("hold a session open where a run asks for it and its harness can", () => {
    expect(liveInput(row("claude"), {})).toBeUndefined();
    expect(liveInput(row("claude"), { idle_timeout_minutes: 0 })).toBeUndefined();
    expect(liveInput(row("codex"), { idle_timeout_minutes: 5 })).toBeUndefined();
    expect(liveInput(row("claude"), { idle_timeout_minutes: 5 })?.idleMs).toBe(300_000);
    expect(words("claude", { live: true }).slice(-2)).toEqual(["--input-format", "stream-json"]);
  });

  test("are those of a preset but for what the settings say", () => {
    const own = row("ours", {
      ours: { preset: "claude", command: "/opt/claude --print", environment: { A: "b" } },
    });
    expect(own.command).toEqual(["/opt/claude", "--print"]);
    expect(own.environment).toEqual({ A: "b" });
    expect(own.output).toBe("claude");
    expect(row("claude", { claude: { command: ["mine"] } })).toEqual({
      command: ["mine"],
      stdin: "prompt",
      output: "text",
    });
  });
});

describe("the key of a harness", () => {
  const vault = {
    open: async (names: readonly string[]) =>
      new Map(names.flatMap((name) => (name === "TEAM_KEY" ? [[name, "named"]] : []))),
  };
  /** The variables of a harness, in a server that has a key of its own. */
  async function environmentOf(
    auth: Harness["auth"],
    granted: Record<string, string>,
    factoryUid: string | null = "f",
  ) {
    const harness = { type: "codex", ...(auth ? { auth } : {}) };
    const assigned = await openHarnessKey(harness, {
      vault: vault as never,
      factoryUid,
      mayUseWorkerEnvironment: async (uid) => uid === "f",
      webhookSecrets: ["OF_A_WEBHOOK"],
      factoryName: "Ann's mill",
    });
    const key = keyOf(assigned, row("codex"), { OPENAI_API_KEY: "servers" });
    return harnessEnvironment(row("codex"), new Map(Object.entries(granted)), key);
  }

  test("is a granted secret of one of its names, under each of them", async () => {
    const environment = await environmentOf(undefined, { OPENAI_API_KEY: "k" });
    expect(environment).toEqual({ CODEX_API_KEY: "k", OPENAI_API_KEY: "k" });
  });

  test("is the secret that the definition names, before any other", async () => {
    const auth = { source: "managedSecret", secretName: "TEAM_KEY" } as const;
    const environment = await environmentOf(auth, { OPENAI_API_KEY: "k" });
    expect(environment).toEqual({ CODEX_API_KEY: "named", OPENAI_API_KEY: "named" });
  });

  test("that is not there is set for its factory, whose name a shell takes", async () => {
    const auth = { source: "managedSecret", secretName: "NONE" } as const;
    await expect(environmentOf(auth, {})).rejects.toMatchObject({
      remedy: "Set it with `millrace secrets set NONE --factory 'Ann'\\''s mill'`.",
    });
  });

  test("is the server's own only where the definition says so", async () => {
    expect(await environmentOf(undefined, {})).toEqual({});
    expect(await environmentOf({ source: "workerEnvironment" }, {})).toMatchObject({
      CODEX_API_KEY: "servers",
    });
  });

  test("is not the server's own for a factory, or a run of none, that may not use it, which is told what to add", async () => {
    const of = (factoryUid: string | null) => environmentOf({ source: "workerEnvironment" }, {}, factoryUid);
    await expect(of("g")).rejects.toMatchObject({
      message: expect.stringContaining("the factory may not use the key"),
      remedy: expect.stringContaining("`workerEnvironment: { factories: [g] }`"),
    });
    await expect(of(null)).rejects.toMatchObject({
      message: expect.stringContaining("runs without a factory may not use the key"),
      remedy: expect.stringContaining("`workerEnvironment: { shared: true }`"),
    });
  });

  test("that is not there keeps the agent from starting, and says which", async () => {
    const auth = { source: "managedSecret", secretName: "GONE" } as const;
    await expect(environmentOf(auth, {})).rejects.toThrow("no secret GONE is available");
  });
});

describe("what a program looks for in places of its own", () => {
  const servers = {
    'od"d.name': { command: "node", args: ['a "b"', "c\\d"], env: { TOKEN: "line\nbreak" } },
    far: { url: "https://mcp.example.com", headers: { authorization: "Bearer x" } },
  };

  test("is put there: skills as a link, MCP servers in the program's own format", async () => {
    const workspace = folderWith({ "skills/review/SKILL.md": "Look." });
    await writeHarnessFiles(row("codex"), workspace, servers);
    expect(readlinkSync(join(workspace, ".codex", "skills"))).toBe("../skills");
    expect(parse(readFileSync(join(workspace, ".codex", "config.toml"), "utf8"))).toEqual({
      mcp_servers: {
        'od"d.name': servers['od"d.name'],
        far: { url: "https://mcp.example.com", http_headers: { authorization: "Bearer x" } },
      },
    });
  });

  test("has variables of the run for secrets, in the notation of the program", async () => {
    const workspace = folderWith({});
    const VARIABLE = `\${KEY}`;
    const named = {
      near: { command: "tools", env: { KEY: VARIABLE, OTHER: VARIABLE, PLAIN: "x" } },
      far: { url: "https://mcp.example.com", headers: { authorization: VARIABLE } },
    };
    for (const type of ["codex", "gemini", "opencode"]) await writeHarnessFiles(row(type), workspace, named);
    const textOf = (path: string) => readFileSync(join(workspace, path), "utf8");
    expect(parse(textOf(".codex/config.toml")).mcp_servers).toEqual({
      near: {
        command: "sh",
        args: ["-c", 'OTHER="$KEY" exec "$@"', "sh", "tools"],
        env: { PLAIN: "x" },
        env_vars: ["KEY", "KEY"],
      },
      far: { url: "https://mcp.example.com", env_http_headers: { authorization: "KEY" } },
    });
    expect(JSON.parse(textOf(".gemini/settings.json")).mcpServers.near.env).toEqual(named.near.env);
    expect(JSON.parse(textOf(".config/opencode/opencode.json")).mcp).toMatchObject({
      near: { environment: { KEY: "{env:KEY}", OTHER: "{env:KEY}", PLAIN: "x" } },
      far: { headers: { authorization: "{env:KEY}" } },
    });
  });

  test("is the settings of gemini and opencode, in the home of the run", async () => {
    const workspace = folderWith({ "skills/review/SKILL.md": "Look." });
    for (const type of ["gemini", "opencode"]) await writeHarnessFiles(row(type), workspace, servers);
    const content = (path: string) => JSON.parse(readFileSync(join(workspace, path), "utf8"));
    expect(content(".gemini/settings.json")).toMatchObject({
      security: { auth: { selectedType: "gemini-api-key" } },
      mcpServers: {
        ...servers,
        far: { httpUrl: "https://mcp.example.com", headers: { authorization: "Bearer x" } },
      },
    });
    expect(content(".config/opencode/opencode.json").mcp).toEqual({
      'od"d.name': {
        type: "local",
        command: ["node", 'a "b"', "c\\d"],
        environment: { TOKEN: "line\nbreak" },
      },
      far: { type: "remote", url: "https://mcp.example.com", headers: { authorization: "Bearer x" } },
    });
    expect(readlinkSync(join(workspace, ".gemini", "skills"))).toBe("../skills");
    expect(readFileSync(join(workspace, ".config/opencode/skills/review/SKILL.md"), "utf8")).toBe("Look.");
  });

  test("says to gemini what it authenticates with, also without MCP servers", async () => {
    const workspace = folderWith({});
    for (const type of ["gemini", "opencode"]) await writeHarnessFiles(row(type), workspace, {});
    expect(readFileSync(join(workspace, ".gemini/settings.json"), "utf8")).toContain("gemini-api-key");
    expect(existsSync(join(workspace, ".config"))).toBe(false);
  });

  test("is left alone where there is nothing to put, or something lies there", async () => {
    const workspace = folderWith({ ".codex/config.toml": "mine = true\n" });
    await writeHarnessFiles(row("codex"), workspace, servers);
    expect(readFileSync(join(workspace, ".codex", "config.toml"), "utf8")).toBe("mine = true\n");
    expect(existsSync(join(workspace, ".codex", "skills"))).toBe(false);
  });
});
