import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { aModel } from "../../given/counted-model.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { agentOfPrompt, promptWith } from "../../given/isolated.ts";
import { freePort } from "../../given/port.ts";
import { waitFor } from "../../given/server.ts";
import { twoFactories } from "../../given/serving.ts";
import { storyOf } from "../../given/story.ts";

interface Hold {
  credential: string;
  until: string;
  reason: string;
  is_shared: boolean;
  factory: string | null;
}

const AGENT = `---
agentType: FOREMAN
harness: { type: limited, model: m, auth: { source: managedSecret, secretName: MODEL_KEY } }
---
`;

/** A server of two factories with one key for the model, whose agents are what their prompts say. */
async function sharedKey() {
  const model = await aModel();
  const folder = folderWith({ "agent.mjs": agentOfPrompt("process.exit(0);") });
  chmodSync(folder, 0o755);
  chmodSync(join(folder, "agent.mjs"), 0o644);
  const limited = {
    command: [process.execPath, join(folder, "agent.mjs")],
    output: "claude",
    keyVariables: ["MODEL_KEY"],
    keyService: { url: `https://localhost:${model.port}`, baseUrl: "MODEL_URL" },
  };
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses: { limited } }) }), "m.yaml");
  const dataDir = join(temporaryFolder("millrace-isolated"), "data");
  chmodSync(dirname(dataDir), 0o755);
  const { server } = await twoFactories(
    { "agents/boss/agent.md": AGENT },
    {
      dataDir,
      secrets: { MODEL_KEY: "the-key-of-the-model" },
      env: {
        ...{ MILLRACE_SANDBOX: "bwrap", NODE_EXTRA_CA_CERTS: model.authorityFile },
        MILLRACE_LISTEN: `127.0.0.1:${await freePort()}`,
      },
      args: ["--config", config],
      sharesProcess: false,
    },
  );
  const story = storyOf(server);
  const start = async (factory: string, program: string) => {
    const prompt = promptWith(program);
    return (await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt, factory })).run_id;
  };
  return {
    start,
    ended: story.ended,
    held: (id: string) =>
      waitFor(async () => (await story.run(id)).waiting?.reason === "provider_limit" || undefined),
    holds: async () => (await server.api<{ holds: Hold[] }>("GET", "/holds")).holds,
  };
}

const asking = (url: string, key = "process.env.MODEL_KEY") =>
  `await fetch(${url}, { method: "POST", headers: { "x-api-key": ${key} }, body: '{"model":"m"}' }).catch(() => {});`;

const WELL = "process.exit(0);";

test("a limit that the proxy has seen holds the runs of every factory with the key, until the provider says", async () => {
  const { start, held, holds } = await sharedKey();
  const asked = Date.now();
  const refused = await start(
    "acme",
    `${asking('process.env.MODEL_URL + "/limited/v1/messages"')} process.exit(1);`,
  );
  await held(refused);
  const [hold] = await holds();
  expect(hold).toMatchObject({
    ...{ credential: "secret:MODEL_KEY", is_shared: true, factory: null },
    reason: expect.stringMatching(/^localhost answered with HTTP status 429, to be asked again at /),
  });
  expect(Date.parse(hold?.until ?? "") - asked).toBeGreaterThan(1_790_000);
  await held(await start("other", WELL));
});

test.each([
  [
    "prints the text of a limit",
    `console.log("Claude AI usage limit reached|" + Math.floor(Date.now() / 1000 + 900));`,
  ],
  [
    "has its key refused elsewhere",
    `import { createServer } from "node:http";
     const server = createServer((request, response) => response.writeHead(429).end());
     await new Promise((there) => server.listen(0, "127.0.0.1", there));
     console.log(JSON.stringify({ type: "result", is_error: true, result: "HTTP 429" }));
     ${asking('"http://127.0.0.1:" + server.address().port + "/v1/messages"')}`,
  ],
  [
    "asks the model with another key beside its own",
    `${asking('process.env.MODEL_URL + "/limited/v1/messages?key=another"')}
     console.log(JSON.stringify({ type: "result", is_error: true, result: "HTTP 429" }));`,
  ],
])("an agent that %s holds the runs of its own factory alone", async (_, program) => {
  const { start, held, holds, ended } = await sharedKey();
  await held(await start("acme", `${program} process.exit(1);`));
  expect(await holds()).toMatchObject([{ is_shared: false, factory: "acme" }]);
  expect(await ended(await start("other", WELL))).toMatchObject({ state: "SUCCEEDED" });
});
