import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { onFinished } from "../../given/cleanup.ts";
import { withFactoryLines } from "../../given/definition.ts";
import { serverWithSandbox } from "../../given/isolated.ts";
import { ownAuthority } from "../../given/own-authority.ts";

/** A model behind TLS, which answers a message with 100 tokens of input and 20 of output. */
async function aModel() {
  const authority = ownAuthority();
  const keys: unknown[] = [];
  const server = createServer(authority.certify("localhost"), (request, response) => {
    keys.push(request.headers["x-api-key"]);
    response.setHeader("content-type", "application/json");
    response.end('{"model":"claude-test","usage":{"input_tokens":100,"output_tokens":20},"content":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, keys, authorityFile: authority.file };
}

test("what a shell agent asks of a model is counted, and its key is put in on the way", async () => {
  const { port, keys, authorityFile } = await aModel();
  const block = {
    repositories: "optional",
    network: { allow: [`localhost:${port}`, `127.0.0.1:${port}`] },
    inject: { MODEL_KEY: { hosts: [`localhost:${port}`], header: "x-api-key" } },
  };
  const ask = `
    import { execFileSync } from "node:child_process";
    for (let call = 0; call < 3; call += 1)
      execFileSync("curl", ["-sS", "--noproxy", "", "https://localhost:${port}/v1/messages", "-H", "x-api-key: " + process.env.MODEL_KEY, "-d", "{}"]);
    console.log(process.env.MODEL_KEY);`;
  const { run, story, server } = await serverWithSandbox("bwrap", ask, {
    files: withFactoryLines(`millrace: ${JSON.stringify(block)}\n`),
    env: { NODE_EXTRA_CA_CERTS: authorityFile },
    sharesProcess: false,
  });
  await story.setSecret("MODEL_KEY", "the-key-of-the-model");
  await story.sync();
  const { run_id, state, transcript } = await run();
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
