import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";

/** An agent that prints its prompt and ends when it is let go. */
const waitingAgent = (folder: string) => `
  import { existsSync, readFileSync } from "node:fs";
  console.log(readFileSync(process.env.MILLRACE_PROMPT_FILE, "utf8"));
  while (!existsSync(${JSON.stringify(join(folder, "go"))})) await new Promise((resolve) => setTimeout(resolve, 20));`;

interface Answer {
  followup_id: string | null;
  outcome: string;
}

test("what becomes of a message is told by where its run stands", async () => {
  const folder = temporaryFolder();
  const { server, story, start } = await serverWithAgent(waitingAgent(folder), {
    env: { MILLRACE_RUN_CONCURRENCY: "1" },
  });
  const tell = (id: string, message: string) =>
    server.api<Answer>("POST", `/agent/runs/${id}/followups`, { message });
  const working = await start();
  await waitFor(async () => (await story.run(working)).state === "INPROGRESS" || undefined);
  const waiting = await start({ prompt: "First this." });
  expect(await tell(waiting, "Then that.")).toEqual({ followup_id: null, outcome: "queued_prompt" });
  expect(await tell(working, "Hurry.")).toEqual({
    followup_id: expect.any(String),
    outcome: "queue_pending",
  });
  writeFileSync(join(folder, "go"), "");
  await story.ended(waiting);
  expect(await story.transcript(waiting)).toContain("First this.\n\nThen that.");
  expect(await tell(waiting, "Once more.")).toEqual({
    followup_id: expect.any(String),
    outcome: "handoff_execution",
  });
});

const idle = sharedByFile(() => serverWithAgent(""));

test.each<[string, number, string | undefined, object]>([
  ["no message", 400, "message", {}],
  ["an empty message", 400, "message", { message: "" }],
  ["a message with NUL", 400, "message", { message: "\0" }],
  ["a message of more than a mebibyte", 413, "message", { message: "x".repeat(1024 * 1024 + 1) }],
  ["another mode", 422, "mode", { message: "m", mode: "plan" }],
  ["attachments", 422, "attachments", { message: "m", attachments: [{ attachment_id: "a" }] }],
  ["an unknown key", 400, "urgent", { message: "m", urgent: true }],
])("%s is refused with the name of the field", async (_, status, field, body) => {
  const { server, start } = idle();
  const answer = await ask(server, "POST", `/agent/runs/${await start()}/followups`, { body });
  expect([answer.status, answer.body.field]).toEqual([status, field]);
});

test("a run that is not there, or that the key does not reach, cannot be told anything", async () => {
  const { server, start } = idle();
  const body = { message: "m" };
  const path = (id: string) => `/agent/runs/${id}/followups`;
  expect((await ask(server, "POST", path("01a1fe22-6744-70ce-94a0-348515e54587"), { body })).status).toBe(
    404,
  );
  const { key } = await server.api<{ key: string }>("POST", "/api-keys", { name: "v", role: "viewer" });
  expect((await ask(server, "POST", path(await start()), { body, key })).status).toBe(403);
});
