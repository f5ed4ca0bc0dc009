import { describe, expect, test } from "vitest";
import { waitFor } from "../given/server.ts";
import { taskOf, treeOf } from "../given/workshop.ts";
import { conversationOf } from "./conversation.ts";
import { frontMatterOf, PRESETS } from "./presets.ts";
import { OWN_TOOLS, ownToolsOf, playing, type Script, say, startedRun, use } from "./script.ts";
import type { AskedModel } from "./scripted-model.ts";
import { serverWithProgram } from "./served-program.ts";

function* callEveryTool(): ReturnType<Script> {
  yield use("list_agents");
  yield use("read_delivery");
  yield use("note", { text: "The cart is in shop." });
  yield use("report", { kind: "plan", title: "The plan", text: "First the cart." });
  yield use("report", { kind: "link", url: "https://example.com/issues/7", title: "Issue 7" });
  yield use("report", { kind: "pull_request", url: "https://github.com/acme/shop/pull/7", branch: "fix" });
  yield use("report", { kind: "file", name: "reports/result.md", text: "All is well." });
  yield use("fetch", { artifact: "reports/result.md" });
  yield use("move_task", { stage: "IMPLEMENT" });
  const first = startedRun(yield use("start_agent", { agent: "helper", prompt: "Count nothing." }));
  yield use("message_agent", { run_id: first, message: "Mind the gap." });
  yield use("cancel_agent", { run_id: first });
  const second = startedRun(yield use("start_agent", { agent: "helper", prompt: "Count the items." }));
  yield use("wait_for", { run_ids: [second] });
  yield say("I wait.");
  yield use("ask_person", { question: "Which color?", choices: ["Blue", "Red"] });
  const said = yield say("I have asked.");
  yield use("report", { kind: "status", text: "Writes it down" });
  yield use("answer", { text: said.includes("Blue, please.") ? "It is blue." : "Nobody has answered." });
  yield say("Done.");
}

/** What follows on each of them. */
const OUTCOMES = [
  /- helper \(CUSTOM\): Counts\./,
  /webhook: issues.*The cart/s,
  /The cart is in shop\./,
  ...Array<RegExp>(3).fill(/It was stored as artifact/),
  /The file was stored as artifact/,
  /All is well\./,
  /is in the stage IMPLEMENT/,
  /Started run/,
  /The message was sent/,
  /is being cancelled/,
  /Started run/,
  /The wait was recorded\. End your turn now/,
  /Answer:.*I have counted three items\./s,
  /The question was recorded\. End your turn now/,
  /Blue, please\./,
  /The status line was stored\./,
  /The answer was stored\./,
];

const files = (name: string) => ({
  "agents/boss/agent.md": `---\nagentType: FOREMAN\n${frontMatterOf(name)}\n---\nYou lead.\n`,
  "agents/helper/agent.md": "---\ndescription: Counts.\nagentType: CUSTOM\n---\nYou count.\n",
  "webhooks/issues.yaml": "authMode: token\nsecretName: ISSUES_SECRET\n",
  "automations/on-issue/automation.md": `---
triggers: [{ provider: webhook, event: received, millrace: { webhooks: [issues] } }]
millrace: { task: true, title: "{{issue.title}}" }
---
See the issue through.
`,
});

/** A run of the foreman that a delivery has started, which has one place for itself and whoever it starts. */
async function workedOn(name: string) {
  const SECRET = "a-secret-of-the-sender";
  const given = await serverWithProgram(
    name,
    playing(() => callEveryTool),
    {
      files: files(name),
      agent: 'console.log("I have counted three items.")',
      secrets: { ISSUES_SECRET: SECRET },
      env: { MILLRACE_SANDBOX: "auto", MILLRACE_RUN_CONCURRENCY: "1" },
    },
  );
  const { story } = given;
  const issue = JSON.stringify({ issue: { title: "The cart" } });
  const delivery = await story.accept(await story.urlOf("issues"), SECRET, issue);
  const [id = ""] = (await story.delivery(delivery)).run_ids;
  return { ...given, id };
}

interface Message {
  kind: string;
  author: { type: string };
  text: string;
  choices?: string[];
}

describe.each(Object.keys(PRESETS))("the real %s", (name) => {
  test("connects to the server's tools, calls each of them, and the server does what they say", async () => {
    const { server, story, model, id } = await workedOn(name);
    const messagesOf = async (run: string) => {
      const path = `/agent/runs/${run}/conversation`;
      return (await server.api<{ messages: Message[] }>("GET", path)).messages;
    };
    await waitFor(async () => (await story.run(id)).state === "BLOCKED", 100);
    await server.api("POST", `/agent/runs/${id}/followups`, { message: "Blue, please." });
    expect(await story.ended(id, 90)).toMatchObject({
      state: "SUCCEEDED",
      answer: "It is blue.",
      status_line: "Writes it down",
      artifacts: [
        { artifact_type: "PLAN", data: { title: "The plan", content: "First the cart." } },
        { artifact_type: "EXTERNAL_REFERENCE", data: { url: "https://example.com/issues/7" } },
        { artifact_type: "PULL_REQUEST", data: { url: "https://github.com/acme/shop/pull/7" } },
        { artifact_type: "FILE", data: { filepath: "reports/result.md", size_bytes: 12 } },
      ],
    });

    const asked = model.asked.filter((one) => ownToolsOf(one).length > 0);
    for (const one of asked) expect(ownToolsOf(one)).toEqual(OWN_TOOLS);
    const { outcomes } = conversationOf(asked.at(-1) as AskedModel);
    expect(outcomes).toEqual(OUTCOMES.map((words) => expect.stringMatching(words)));

    const { runs } = await treeOf(server, id);
    expect(runs.map(({ agent, state, parent_run_id }) => [agent, state, parent_run_id])).toEqual([
      ["boss", "SUCCEEDED", null],
      ["helper", "CANCELLED", id],
      ["helper", "SUCCEEDED", id],
    ]);
    expect(await messagesOf(runs[1]?.run_id ?? "")).toContainEqual(
      expect.objectContaining({ author: expect.objectContaining({ type: "agent" }), text: "Mind the gap." }),
    );
    expect((await messagesOf(id)).find(({ kind }) => kind === "question")).toMatchObject({
      text: "Which color?",
      choices: ["Blue", "Red"],
    });
    const waits = (await story.timeline(id)).filter(({ event_type }) => event_type === "oz_run_waiting");
    expect(waits).toHaveLength(1);
    expect(await taskOf(server, id)).toMatchObject({ title: "The cart", stage: "IMPLEMENT" });
    expect(await server.api("GET", `/agent/runs/${id}/note`)).toMatchObject({ text: "The cart is in shop." });
  });
});
