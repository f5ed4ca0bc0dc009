import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { HarnessSetting } from "../../../src/config/harness-setting.ts";
import { aModel } from "../../given/counted-model.ts";
import { withFactoryLines } from "../../given/definition.ts";
import { type Files, folderWith } from "../../given/folder.ts";
import { SANDBOXES, serverWithSandbox } from "../../given/isolated.ts";
import { freePort } from "../../given/port.ts";
import { waitFor } from "../../given/server.ts";

const KEY = "the-key-of-the-model";
const FRONT = "---\nagentType: FOREMAN\nharness: { type: told }\n";

/** Says what it has for its key, asks its model three times, and then once without what it has. */
const ASKING = `
  const { MODEL_KEY: key, MODEL_URL: url } = process.env;
  console.log(/^millrace-placeholder-[0-9a-f]{40}$/.test(key), key, url, process.argv.slice(2).join(" "));
  const ask = async (headers) => (await fetch(url + "/v1/messages", { method: "POST", headers, body: "{}" })).status;
  for (let call = 0; call < 3; call += 1) console.log(await ask({ "x-api-key": key }));
  console.log(await ask({ "x-api-key": "another" }), await ask({}));`;

/** A server without limits on the network, whose agents have a harness with a key. */
async function serverWithHarness(
  sandbox: string,
  {
    program = ASKING,
    row = {},
    secrets = {},
    files = {},
    budget,
  }: {
    program?: string;
    row?: Partial<HarnessSetting>;
    secrets?: Record<string, string>;
    files?: Files;
    budget?: object;
  } = {},
) {
  const model = await aModel();
  const folder = folderWith({ "agent.mjs": program });
  chmodSync(folder, 0o755);
  chmodSync(join(folder, "agent.mjs"), 0o644);
  const told: HarnessSetting = {
    command: [process.execPath, join(folder, "agent.mjs")],
    keyVariables: ["MODEL_KEY"],
    keyService: {
      url: `https://localhost:${model.port}`,
      baseUrl: "MODEL_URL",
      baseUrlArguments: ["--at", "at={baseUrl}/v1"],
    },
    ...row,
  };
  const settings = folderWith({ "m.yaml": JSON.stringify({ harnesses: { told } }) });
  const granted = { MODEL_KEY: KEY, ...secrets };
  const agent = `${FRONT}secrets: [${Object.keys(granted)}]\n---\n`;
  const block = JSON.stringify({ repositories: "optional", ...(budget ? { budget } : {}) });
  const options = {
    files: { ...withFactoryLines(`millrace: ${block}\n`), "agents/boss/agent.md": agent, ...files },
    env: { NODE_EXTRA_CA_CERTS: model.authorityFile, MILLRACE_LISTEN: `127.0.0.1:${await freePort()}` },
    args: ["--config", join(settings, "m.yaml")],
    sharesProcess: false,
  };
  const made = await serverWithSandbox(sandbox, "", options);
  for (const [name, value] of Object.entries(granted)) await made.story.setSecret(name, value);
  await made.story.sync();
  const again = () => serverWithSandbox(sandbox, "", { ...options, dataDir: made.dataDir });
  return { ...made, ...model, again };
}

describe.each(SANDBOXES)("in the sandbox %s, a program whose network nothing limits", (sandbox) => {
  test("asks its model without its key, under an address of the loopback interface that serves it alone", async () => {
    const { run, server, keys } = await serverWithHarness(sandbox);
    const { run_id, state, transcript } = await run();
    const at = "http://127\\.0\\.0\\.1:\\d+/endpoints/model";
    expect(transcript).toMatch(
      new RegExp(`^true \\*+ (${at}) --at at=\\1/v1\\n200\\n200\\n200\\n403 403\\n$`),
    );
    expect([state, keys]).toEqual(["SUCCEEDED", Array(3).fill(KEY)]);
    expect(await server.api("GET", `/agent/runs/${run_id}/harness-usage`)).toMatchObject({
      usage: { input_tokens: 300, output_tokens: 60 },
    });
    expect(await server.api("GET", `/agent/runs/${run_id}/network`)).toEqual({ reached: [], refused: [] });
  });
});

/** Does not print the key itself, which would be masked. */
const TELLS_KEY = `
  const { MODEL_KEY: key, MODEL_URL: url } = process.env;
  console.log(key.length === ${KEY.length} ? "its own" : "another", url === undefined ? "without a URL" : "with a URL");`;

test("a setup command does not have the key either", async () => {
  const setup = "if env | grep -q MODEL_KEY; then echo it has the key; else echo it has no key; fi";
  const files = {
    "runners/small.yaml": `setupCommands: ["${setup}"]\n`,
    "agents/boss/agent.md": `${FRONT}runner: small\nsecrets: [MODEL_KEY]\n---\n`,
  };
  const { run } = await serverWithHarness("bwrap", { files, program: TELLS_KEY });
  expect((await run()).transcript).toMatch(/it has no key\n(.*\n)*another with a URL/);
});

test("a service that the settings name in the words of the command stays the one of the program", async () => {
  const program = "console.log(process.argv.slice(2).join(' '));";
  const row = { arguments: ["--at", "at=https://own.example.com"] };
  const { run } = await serverWithHarness("bwrap", { program, row });
  expect((await run()).transcript).toBe("--at at=https://own.example.com\n");
});

test("a run over its budget is refused further calls, and can say goodbye", async () => {
  const program = `
    const { MODEL_KEY: key, MODEL_URL: url } = process.env;
    for (;;) {
      const answer = await fetch(url, { method: "POST", headers: { "x-api-key": key }, body: "{}" });
      if (answer.status === 403) { console.log("goodbye"); process.exit(0); }
      await new Promise((again) => setTimeout(again, 1200));
    }`;
  const { run } = await serverWithHarness("bwrap", { program, budget: { tokensPerRun: 200 } });
  const { state, status_message, transcript } = await run();
  expect([state, status_message?.error_code]).toEqual(["FAILED", "budget_exceeded"]);
  expect(transcript).toContain("goodbye\n");
});

test("a WebSocket is refused with a status after which programs go on without, and HTTP/2 is not spoken", async () => {
  const program = `
    const { request } = await import("node:http");
    const { MODEL_KEY: key, MODEL_URL: url } = process.env;
    for (const upgrade of ["websocket", "h2c"]) {
      const headers = { "x-api-key": key, connection: "upgrade", upgrade };
      await new Promise((answered) => request(url, { headers }, ({ statusCode }) => {
        console.log(statusCode);
        answered();
      }).end());
    }
    process.exit(0);`;
  const { run, keys } = await serverWithHarness("bwrap", { program });
  expect((await run()).transcript).toBe("426\n200\n");
  expect(keys).toEqual([KEY]);
});

test("others that connect and ask for nothing do not keep a program from its model", async () => {
  const program = `
    import { connect } from "node:net";
    const { MODEL_KEY: key, MODEL_URL: url } = process.env;
    const { hostname, port } = new URL(url);
    const idle = Array.from({ length: 400 }, () => connect(port, hostname).on("error", () => {}));
    await Promise.all(idle.map((each) => new Promise((there) => each.on("connect", there).on("close", there))));
    const answer = await fetch(url, { method: "POST", headers: { "x-api-key": key }, body: "{}" });
    console.log(answer.status);
    while (idle.filter(({ destroyed }) => !destroyed).length > 128) await new Promise((again) => setTimeout(again, 50));
    process.exit(0);`;
  const { run } = await serverWithHarness("bwrap", { program });
  const { state, transcript } = await run();
  expect([state, transcript]).toEqual(["SUCCEEDED", "200\n"]);
});

describe("a program whose network nothing limits has its key", () => {
  test("where the settings say so", async () => {
    const { run } = await serverWithHarness("bwrap", { row: { injectKey: false }, program: TELLS_KEY });
    expect((await run()).transcript).toBe("its own without a URL\n");
  });

  test("where it cannot be told of another address", async () => {
    const row = { keyService: { url: "https://localhost" } };
    const { run } = await serverWithHarness("bwrap", { row, program: TELLS_KEY });
    expect((await run()).transcript).toBe("its own without a URL\n");
  });

  test("where it reaches everything through another proxy", async () => {
    const secrets = { HTTPS_PROXY: "http://proxy.example.com:3128" };
    const { run } = await serverWithHarness("bwrap", { secrets, program: TELLS_KEY });
    expect((await run()).transcript).toBe("its own without a URL\n");
  });
});

/** Asks its model, and once more when it is told to go on. */
const GOING_ON = `
  import { existsSync } from "node:fs";
  const { MODEL_KEY: key, MODEL_URL: url } = process.env;
  const ask = async () => (await fetch(url, { method: "POST", headers: { "x-api-key": key }, body: "{}" })).status;
  console.log("first", await ask());
  while (!existsSync("go")) await new Promise((again) => setTimeout(again, 50));
  console.log("then", await ask());`;

test("the address goes on to serve a program when the server was killed, and what it asks is counted", async () => {
  const { start, server, story, dataDir, again } = await serverWithHarness("bwrap", { program: GOING_ON });
  const id = await start();
  await waitFor(async () => (await story.transcript(id)).includes("first 200"));
  await server.kill();
  const next = await again();
  writeFileSync(join(dataDir, "workspaces", id, "go"), "");
  expect(await next.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(await next.story.transcript(id)).toContain("then 200");
  expect(await next.server.api("GET", `/agent/runs/${id}/harness-usage`)).toMatchObject({
    usage: { input_tokens: 200, output_tokens: 40 },
  });
});
