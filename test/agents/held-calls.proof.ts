import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { waitFor } from "../given/server.ts";
import { conversationOf } from "./conversation.ts";
import { frontMatterOf, PRESETS } from "./presets.ts";
import { ownToolsOf, playing, type Script, say, startedRun, use } from "./script.ts";
import type { AskedModel } from "./scripted-model.ts";
import { serverWithProgram, serverWithPrograms } from "./served-program.ts";

/** Longer than the shortest limit of the programs, which is 30 s, and shorter than `wait_for` is held open. */
const CHILD_SECONDS = 35;

function* waitsForChild(): ReturnType<Script> {
  const run = startedRun(yield use("start_agent", { agent: "helper", prompt: "Count the items." }));
  yield use("wait_for", { run_ids: [run] });
  yield say("Done.");
}

function* asksPerson(): ReturnType<Script> {
  yield use("ask_person", { question: "Which color?" });
  yield say("Done.");
}

const HELPER = {
  "agents/helper/agent.md": "---\ndescription: Counts.\nagentType: CUSTOM\n---\nYou count.\n",
};
const NAMES = Object.keys(PRESETS);

/** What has followed on what the model has said, in the last request of a conversation that begins so. */
function lastOutcomes(asked: readonly AskedModel[], beginning: string): string[] {
  const conversations = asked.filter((one) => ownToolsOf(one).length > 0).map(conversationOf);
  return conversations.findLast((one) => one.beginning.includes(beginning))?.outcomes ?? [];
}

test("each of the programs waits for a run that takes longer than its usual limit for a call", async () => {
  const bosses = NAMES.map((name) => [
    `agents/${name}/agent.md`,
    `---\nagentType: CUSTOM\n${frontMatterOf(name)}\nmillrace: { mayStart: [helper] }\n---\nYou lead with ${name}.\n`,
  ]);
  const { start, story, model } = await serverWithPrograms(
    NAMES,
    playing(() => waitsForChild),
    {
      files: { ...HELPER, ...Object.fromEntries(bosses) },
      agent: `setTimeout(() => console.log("I have counted three items."), ${CHILD_SECONDS}_000)`,
      env: { MILLRACE_SANDBOX: "auto", MILLRACE_RUN_CONCURRENCY: "8" },
    },
  );
  const heard = NAMES.map(async (name) => {
    const { state } = await story.ended(await start({ agent: name }), 110);
    return [name, state, lastOutcomes(model.asked, `You lead with ${name}.`)[1]];
  });
  const result = expect.stringMatching(/The runs have ended\..*I have counted three items\./s);
  expect(await Promise.all(heard)).toEqual(NAMES.map((name) => [name, "SUCCEEDED", result]));
});

test("the real claude gets a person's answer as the result of its call, long after its own limits have passed", async () => {
  const LIMIT_SECONDS = 40;
  const limit = String(LIMIT_SECONDS * 1_000);
  const { start, story, server, model } = await serverWithProgram(
    "claude",
    playing(() => asksPerson),
    {
      files: {
        "agents/boss/agent.md": `---\nagentType: FOREMAN\n${frontMatterOf("claude")}\n---\nYou lead.\n`,
      },
      env: { MILLRACE_SANDBOX: "auto" },
      environment: { MCP_TOOL_TIMEOUT: limit, CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT: limit },
    },
  );
  const id = await start({ config: { idle_timeout_minutes: 5 } });
  await waitFor(async () => (await story.run(id)).state === "BLOCKED", 60);
  await sleep((LIMIT_SECONDS + 25) * 1_000);
  const answer = await server.api("POST", `/agent/runs/${id}/followups`, { message: "Blue, please." });
  expect(answer).toMatchObject({ outcome: "live_session" });
  await waitFor(async () => (await story.run(id)).answer === "Done.", 60);
  expect(lastOutcomes(model.asked, "You lead.")).toEqual([
    expect.stringContaining("The person answered:\n\nBlue, please."),
  ]);
  await server.api("POST", `/agent/runs/${id}/cancel`);
  await story.ended(id);
}, 180_000);
