import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { mcpClient } from "../../given/mcp-client.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";

/** What the prompts of the public service say, as a program: it knows no other names of tools. */
const AGENT = `
  import { readFileSync } from "node:fs";
  const { MILLRACE_API_URL: api, MILLRACE_RUN_TOKEN: token, MILLRACE_TURN: turn } = process.env;
  const prompt = readFileSync("prompt.md", "utf8");
  async function use(name, given = {}) {
    const answer = await fetch(api + "/api/v1/mcp/factory", {
      method: "POST",
      headers: {
        authorization: "Bearer " + token,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
    });
    const { result } = await answer.json();
    if (result.isError) throw new Error(name + ": " + result.content[0].text);
    return result.structuredContent;
  }
  if (prompt.includes("You help.")) {
    await use("report_pr", { url: "https://example.com/pull/1", branch: "door" });
    await use("message_foreman", { message: "The pull request is open." });
    await use("finish_task", { status: "success", summary: "Closed the door." });
  } else if (turn === "1") {
    const { stage, title } = await use("get_task");
    if (stage !== "TRIAGE") throw new Error("The task is in " + stage);
    await use("send_task", { agent: "helper", title, note: "Close the door." });
  } else {
    const { tasks } = await use("list_tasks", { stage: ["TRIAGE"] });
    const { messages } = await use("get_conversation");
    const last = messages.at(-1);
    await use("report_external_reference", { url: "https://example.com/D-1", reference_type: "ISSUE" });
    await use("complete_task", { factory_task_uid: tasks[0].factory_task_uid, summary: "Heard: " + last.text });
  }`;

test("agents that know only the public names of tools bring a task from TRIAGE to COMPLETE", async () => {
  const { server, story } = await serverWithAgent(AGENT, {
    files: { "agents/helper/agent.md": "---\nagentType: IMPLEMENT\n---\nYou help.\n" },
  });
  const { use } = await mcpClient(server, ADMIN_KEY, "/api/v1/mcp/factory");
  const sent = await use("send_task", { factory_uid: "acme", title: "The door", note: "It does not close." });
  const named = { factory_task_uid: sent.data.factory_task_uid };
  const done = await waitFor(async () => {
    const { data } = await use("get_task", named);
    return data.stage === "COMPLETE" ? data : undefined;
  });
  expect(done).toMatchObject({
    title: "The door",
    outputs: [
      { artifact_type: "EXTERNAL_REFERENCE", data: { reference_type: "ISSUE" } },
      { artifact_type: "PULL_REQUEST", data: { branch: "door" } },
    ],
    runs: [{ agent: "boss" }, { agent: "helper" }],
  });
  expect(await story.ended(String(sent.data.run_id))).toMatchObject({
    ...{ state: "SUCCEEDED", answer: "Heard: The pull request is open." },
  });
});
