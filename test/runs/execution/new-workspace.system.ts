import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";

/** Names its session as claude does, and keeps what it was started with. */
const program = (told: string) => `
  import { readFileSync, writeFileSync } from "node:fs";
  const asked = { words: process.argv.slice(2), prompt: readFileSync(0, "utf8") };
  writeFileSync(${JSON.stringify(`${told}/`)} + process.env.MILLRACE_TURN, JSON.stringify(asked));
  console.log(JSON.stringify({ type: "system", subtype: "init", session_id: "session-1" }));
  console.log(JSON.stringify({ type: "result", subtype: "success", result: "It is done." }));`;

test("a later turn whose workspace is gone starts a new session with the agent's own prompt and the conversation so far", async () => {
  const told = temporaryFolder();
  const script = join(folderWith({ "agent.mjs": program(told) }), "agent.mjs");
  const resume = [process.execPath, script, "--resume", "{session}"];
  const harnesses = { told: { command: [process.execPath, script], resume, output: "claude" } };
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses }) }), "m.yaml");
  const { server, story, start } = await serverWithAgent("", { args: ["--config", config] });
  const id = await start({ config: { harness: { type: "told" }, base_prompt: "You do the work." } });
  await story.ended(id);
  const turn = async (count: number, message: string) => {
    await server.api("POST", `/agent/runs/${id}/followups`, { message });
    await waitFor(async () => (await story.timeline(id)).filter(isStart).length === count || undefined);
    await story.ended(id);
    return JSON.parse(readFileSync(join(told, String(count)), "utf8"));
  };
  expect(await turn(2, "Go on.")).toEqual({ words: ["--resume", "session-1"], prompt: "Go on." });

  rmSync(join(server.dataDir, "workspaces", id), { recursive: true });
  const { words, prompt } = await turn(3, "And on.");
  expect(words).toEqual([]);
  expect(prompt).toContain("You do the work.\n\n[millrace: This run has had earlier turns");
  expect(prompt).toContain("> Turn 2, answer of the agent:\n> It is done.");
  expect(prompt.endsWith("\n\nAnd on.")).toBe(true);
  expect(await story.transcript(id)).toContain(
    "[millrace: the workspace of the previous turns was removed; this turn starts in a new one, and its prompt contains the conversation so far]",
  );
  expect((await turn(4, "Last.")).words).toEqual(["--resume", "session-1"]);
});

const isStart = ({ event_type }: { event_type: string }) => event_type === "agent_started";
