import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { freePort } from "../given/port.ts";
import { startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";
import { aWorker } from "../given/workers.ts";
import { conversationOf } from "./conversation.ts";
import { frontMatterOf, KEY, presetOf } from "./presets.ts";
import { PROGRAMS } from "./programs.ts";
import { ownToolsOf, playing, type Script, say, use } from "./script.ts";
import { type AskedModel, scriptedModel } from "./scripted-model.ts";

const SECRET = "a-secret-of-the-sender";

function* asksForColor(): ReturnType<Script> {
  yield use("read_delivery");
  yield use("ask_person", { question: "Which color?" });
  const said = yield say("I have asked.");
  yield use("answer", { text: said.includes("Blue, please.") ? "It is blue." : "Nobody has answered." });
  const asked = yield say("Done.");
  yield use("answer", { text: asked.includes("What was it?") ? "It was blue." : "Nobody has asked." });
  yield say("Done again.");
}

const definitionFor = (name: string) => ({
  ...FACTORY,
  "agents/boss/agent.md": `---\nagentType: FOREMAN\n${frontMatterOf(name)}\n---\nYou lead.\n`,
  "webhooks/issues.yaml": "authMode: token\nsecretName: ISSUES_SECRET\n",
  "automations/on-issue/automation.md": `---
workerHost: builder
triggers: [{ provider: webhook, event: received, millrace: { webhooks: [issues] } }]
---
See the issue through.
`,
});

/** A server without programs, at whose public URL nobody is, and a worker that has one; both can be started again. */
type Elsewhere = Awaited<ReturnType<typeof elsewhere>>;
async function elsewhere(name: string, script: Script, more: { environment?: Record<string, string> } = {}) {
  const model = await scriptedModel(playing(() => script));
  const harnesses = { [name]: presetOf(name).settings(model.url, more.environment) };
  const args = ["--config", join(folderWith({ "m.yaml": JSON.stringify({ harnesses }) }), "m.yaml")];
  const listen = `127.0.0.1:${await freePort()}`;
  const served = {
    ...{ sources: [folderWith(definitionFor(name))], args, sharesProcess: false },
    dataDir: join(temporaryFolder("millrace-data"), "data"),
    env: {
      MILLRACE_LISTEN: listen,
      MILLRACE_PUBLIC_URL: "https://millrace.invalid",
    },
    reachedAt: `http://${listen}`,
  };
  const start = () => startServer(served);
  let server = await start();
  const story = storyOf(server);
  const secrets = { ISSUES_SECRET: SECRET, [presetOf(name).secret]: KEY };
  for (const [secret, value] of Object.entries(secrets)) await story.setSecret(secret, value);
  await story.sync();
  const choices = { args, env: { PATH: `${PROGRAMS}:${process.env.PATH}`, MILLRACE_SANDBOX: "auto" } };
  let worker = await aWorker(server, choices);
  return {
    ...{ server, story, model },
    said: () => worker.said(),
    log: () => server.log(),
    async restartServer() {
      await server.kill();
      server = await start();
    },
    async restartBoth() {
      await Promise.all([server.kill(), worker.kill()]);
      server = await start();
      worker = await aWorker(server, { ...choices, token: worker.token, dataDir: worker.dataDir });
    },
    say: (id: string, message: string) => server.api("POST", `/agent/runs/${id}/followups`, { message }),
    async deliver() {
      const path = new URL(await story.urlOf("issues")).pathname;
      const delivery = await story.accept(server.url + path, SECRET, '{"issue":"The cart"}');
      const [id = ""] = (await story.delivery(delivery)).run_ids;
      return id;
    },
    /** What has followed on what the model has said, in the last conversation that it was sent. */
    outcomes: () =>
      conversationOf(model.asked.filter((one) => ownToolsOf(one).length > 0).at(-1) as AskedModel).outcomes,
  };
}

/** The turn has ended, and with it the agent: what is killed from now on executes nothing. */
const isIdle = async ({ server }: Pick<Elsewhere, "server">) => {
  const { workers } = await server.api<{ workers: { executing: number }[] }>("GET", "/workers");
  return workers.every(({ executing }) => executing === 0);
};

describe.each(["claude", "codex"])("the real %s on a worker", (name) => {
  test("asks a person, gets the answer and then a message, with server and worker killed and started again before each", async () => {
    const there = await elsewhere(name, asksForColor);
    const { story, say, deliver, restartBoth, outcomes } = there;
    const id = await deliver();
    await waitFor(async () => (await story.run(id)).state === "BLOCKED" && (await isIdle(there)), 90);
    await restartBoth();
    expect((await story.run(id)).state).toBe("BLOCKED");
    await say(id, "Blue, please.");
    expect(await story.ended(id, 90)).toMatchObject({ state: "SUCCEEDED", answer: "It is blue." });
    await waitFor(() => isIdle(there));
    await restartBoth();
    await say(id, "What was it?");
    await waitFor(async () => (await story.run(id)).answer === "It was blue.", 90);
    expect(await story.ended(id, 90)).toMatchObject({ state: "SUCCEEDED" });
    expect(outcomes()).toEqual(
      [
        /webhook: issues.*The cart/s,
        /The question was recorded\. End your turn now/,
        /^Blue, please\.\n$/,
        /The answer was stored\./,
        /^What was it\?\n$/,
        /The answer was stored\./,
      ].map((words) => expect.stringMatching(words)),
    );
    expect(await story.transcript(id)).not.toContain("starts in a new one");
  });
});

function* holdsQuestion(): ReturnType<Script> {
  yield use("ask_person", { question: "Which color?" });
  yield say("Done.");
  yield say("Thank you.");
}

test("the real claude goes on while the server is killed with its question open, and gets the answer once the server is back", async () => {
  const there = await elsewhere("claude", holdsQuestion);
  const { server, story, say, restartServer, outcomes } = there;
  const { run_id: id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
    ...{ prompt: "Begin.", config: { worker_host: "builder", idle_timeout_minutes: 5 } },
  });
  await waitFor(async () => (await story.run(id)).state === "BLOCKED", 90);
  await restartServer();
  await say(id, "Blue, please.");
  await waitFor(async () => (await story.run(id)).answer === "Done.", 60);
  // The rest of the call that was open, or the next message, where the answer was quicker than the program.
  expect(outcomes()[0]).toMatch(/The person answered:\n\nBlue, please\.|the answer is the next message/);
  await server.api("POST", `/agent/runs/${id}/cancel`);
  await story.ended(id);
});
