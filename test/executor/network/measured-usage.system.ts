import { expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { aModel } from "../../given/counted-model.ts";
import { withFactoryLines } from "../../given/definition.ts";
import { agentOfPrompt, promptWith, serverWithSandbox } from "../../given/isolated.ts";

/** A server whose agents may reach the model alone, with a key that is put in on the way. */
async function serverWithModel(millrace: object = {}) {
  const model = await aModel();
  const at = `localhost:${model.port}`;
  const block = {
    repositories: "optional",
    network: { allow: [at, `127.0.0.1:${model.port}`] },
    inject: { MODEL_KEY: { hosts: [at], header: "x-api-key" } },
    ...millrace,
  };
  const made = await serverWithSandbox("bwrap", agentOfPrompt(), {
    files: withFactoryLines(`millrace: ${JSON.stringify(block)}\n`),
    env: { NODE_EXTRA_CA_CERTS: model.authorityFile },
    sharesProcess: false,
  });
  await made.story.setSecret("MODEL_KEY", "the-key-of-the-model");
  await made.story.sync();
  return {
    server: made.server,
    url: `https://${at}/v1/messages`,
    /** Runs a program. @returns its run, and the keys with which it has asked the model */
    async run(program: string) {
      const before = model.keys.length;
      const run = await made.run({ prompt: promptWith(program) });
      return { ...run, keys: model.keys.slice(before) };
    },
  };
}

const limited = sharedByFile(() => serverWithModel({ budget: { tokensPerRun: 200 } }));

const ASK = `
  import { execFileSync } from "node:child_process";
  const ask = (url) => execFileSync("curl", ["-sS", "-w", " %{http_code}", "--noproxy", "", url, "-d", "{}"], { encoding: "utf8" });`;

test("what a shell agent asks of a model is counted, and its key is put in on the way", async () => {
  const { run, server, url } = await serverWithModel();
  const { run_id, state, transcript, keys } = await run(
    `${ASK} for (let call = 0; call < 3; call += 1) ask("${url}"); console.log(process.env.MODEL_KEY);`,
  );
  expect([state, keys]).toEqual(["SUCCEEDED", Array(3).fill("the-key-of-the-model")]);
  expect(transcript).toMatch(/^millrace-placeholder-[0-9a-f]{40}\n$/);
  expect(await server.api("GET", `/agent/runs/${run_id}/harness-usage`)).toMatchObject({
    usage: {
      input_tokens: 300,
      output_tokens: 60,
      turns: [{ turn: 1, model_id: "claude-test", input_tokens: 300 }],
    },
  });
});

test("a run over its budget is refused further calls, can say goodbye, and ends with the reason", async () => {
  const { run, url } = limited();
  const { state, status_message, transcript, keys } = await run(`${ASK}
      for (;;) {
        const said = ask("${url}");
        if (said.endsWith(" 403")) { console.log("goodbye:", said); process.exit(0); }
        await new Promise((again) => setTimeout(again, 1200));
      }`);
  expect([state, status_message?.error_code]).toEqual(["FAILED", "budget_exceeded"]);
  expect(transcript).toContain("goodbye: millrace: this run has used up its budget");
  // Two calls use up the budget, which is known as soon as the server has stored them.
  expect(keys.length).toBeGreaterThanOrEqual(2);
  expect(keys.length).toBeLessThan(20);
});

test.each([
  ["a stream that tells no tokens", "/silent/v1/messages", []],
  ["a line of JSON", "/lines/v1/messages", []],
  ["a compressed answer", "/packed/v1/messages", []],
  ["an answer that nobody waits for", "/v1/messages", ["--max-time", "0.5"]],
  ["many requests at once", "/v1/messages", ["--parallel", "--parallel-immediate"]],
])("a budget ends a run whose model answers with %s", async (_, path, options) => {
  const { run, url } = limited();
  const { state, status_message, keys } = await run(`
      import { spawnSync } from "node:child_process";
      const body = JSON.stringify({ model: "claude-test", stream: true, messages: ["x".repeat(300)] });
      const url = "${url}".replace("/v1/messages", "${path}");
      const options = ${JSON.stringify(options)};
      const urls = options.includes("--parallel") ? Array(40).fill(url) : [url];
      for (;;) {
        const { stdout } = spawnSync("curl", ["-sS", "-w", " %{http_code}\\n", "--noproxy", "", ...options, ...urls, "-d", body], { encoding: "utf8" });
        if (stdout.includes(" 403")) process.exit(0);
        await new Promise((again) => setTimeout(again, 1200));
      }`);
  expect([state, status_message?.error_code]).toEqual(["FAILED", "budget_exceeded"]);
  expect(keys.length).toBeLessThan(80);
});
