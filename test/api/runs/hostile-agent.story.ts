import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MAX_NOTE } from "../../../src/runs/rules/agent-report.ts";
import { MAX_FAMILY } from "../../../src/runs/rules/family.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { type Server, waitFor } from "../../given/server.ts";

/** Starts itself as often as it can, then all that it may not, and writes how it was answered. */
const HOSTILE = `
  import { readFileSync, writeFileSync } from "node:fs";
  const { MILLRACE_API_URL, MILLRACE_RUN_ID, MILLRACE_RUN_TOKEN } = process.env;
  const counts = {};
  async function call(name, method, path, body) {
    const answer = await fetch(MILLRACE_API_URL + "/api/v1" + path, {
      method,
      headers: { authorization: "Bearer " + MILLRACE_RUN_TOKEN, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    await answer.arrayBuffer();
    const key = name + " " + answer.status;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  const stranger = readFileSync("prompt.md", "utf8").match(/STRANGER=(\\S+)/)?.[1];
  if (!stranger) process.exit(0);
  const prompt = "STRANGER=" + stranger;
  for (const agent of ["boss", "coder", "nobody", "tester"]) {
    for (let tried = 0; tried < 12; tried += 1) await call("start " + agent, "POST", "/agent/runs", { prompt, agent });
  }
  await call("forge", "POST", "/agent/runs", { prompt, agent: "coder", parent_run_id: stranger });
  await call("configure", "POST", "/agent/runs", { prompt, agent: "coder", config: { secrets: [{ name: "ROOT" }] } });
  for (const rest of ["", "/tree", "/conversation", "/transcript"]) await call("read", "GET", "/agent/runs/" + stranger + rest);
  await call("message", "POST", "/agent/runs/" + stranger + "/followups", { message: "Obey." });
  await call("cancel", "POST", "/agent/runs/" + stranger + "/cancel?tree=true");
  await call("block", "POST", "/agent/runs/" + stranger + "/blocked", { message: "Pay me." });
  await call("wait as", "POST", "/agent/runs/" + stranger + "/wait", {});
  await call("wait for", "POST", "/agent/runs/" + MILLRACE_RUN_ID + "/wait", { run_ids: [stranger] });
  writeFileSync("token", MILLRACE_RUN_TOKEN);
  writeFileSync("counts.json", JSON.stringify(counts));`;

/** Asks and writes as often as it can, and says how it was answered. */
const FLOODING = `
  import { writeFileSync } from "node:fs";
  const { MILLRACE_API_URL, MILLRACE_RUN_ID, MILLRACE_RUN_TOKEN } = process.env;
  const statuses = {};
  for (let n = 0; n < 60; n += 1) {
    for (const [method, what, body] of [["PUT", "note", { text: "x".repeat(60_000), append: true }], ["POST", "blocked", { message: "Which? " + n }]]) {
      const answer = await fetch(MILLRACE_API_URL + "/api/v1/agent/runs/" + MILLRACE_RUN_ID + "/" + what, {
        method,
        headers: { authorization: "Bearer " + MILLRACE_RUN_TOKEN, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      // A program goes on while a connection has an answer that it has not read.
      await answer.arrayBuffer();
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    }
  }
  writeFileSync("token", MILLRACE_RUN_TOKEN);
  writeFileSync("counts.json", JSON.stringify(statuses));`;

interface AuditRecord {
  action: string;
  run_id?: string;
  status: number;
  repeats?: number;
}

/** All that is recorded of a run, among the records of its family. */
async function auditOf(server: Server, runId: string): Promise<AuditRecord[]> {
  const found: AuditRecord[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { audit_log: AuditRecord[]; page_info: { next_cursor: string | null } } = await server.api(
      "GET",
      `/audit-log?limit=500${cursor === "" ? "" : `&cursor=${cursor}`}`,
    );
    found.push(...page.audit_log.filter(({ run_id }) => run_id === runId));
    cursor = page.page_info.next_cursor ?? null;
  }
  return found;
}
const inWorkspace = (server: Server, id: string, name: string) =>
  readFileSync(join(server.dataDir, "workspaces", id, name), "utf8");

test("an agent that starts itself for ever, forges parents and reaches for strangers is bounded, refused and recorded", async () => {
  const { server, story, start } = await serverWithAgent(HOSTILE, {
    files: {
      "agents/coder/agent.md":
        "---\nagentType: IMPLEMENT\nmillrace: { mayStart: [coder, boss], children: 100, depth: 5 }\n---\n",
      "agents/tester/agent.md": "---\nagentType: VERIFY\n---\n",
    },
    env: { MILLRACE_RUN_CONCURRENCY: "8" },
  });
  const stranger = await start();
  await story.ended(stranger);
  const root = await start({ prompt: `STRANGER=${stranger}` });
  await story.ended(root, 60);
  const members = async () =>
    (
      await server.api<{ runs: { run_id: string; state: string; agent: string }[] }>(
        "GET",
        `/agent/runs/${root}/tree`,
      )
    ).runs;
  for (const { run_id } of await members()) await story.ended(run_id, 90);
  const family = await members();
  expect(family.length).toBeGreaterThan(10);
  expect(family.length).toBeLessThanOrEqual(MAX_FAMILY);

  const countsOf = (id: string) => JSON.parse(inWorkspace(server, id, "counts.json"));
  expect(countsOf(root)).toMatchObject({
    "start boss 200": 10,
    "start boss 409": 2,
    "start coder 409": 12,
    "start nobody 409": 12,
    "start tester 409": 12,
    "forge 403": 1,
    "configure 403": 1,
    "read 404": 4,
    "message 404": 1,
    "cancel 404": 1,
    "block 404": 1,
    "wait as 404": 1,
    "wait for 400": 1,
  });
  const events = await story.timeline(root);
  expect(events.filter(({ event_type }) => event_type === "start_refused")).toHaveLength(20);
  const coder = family.find(({ agent }) => agent === "coder")?.run_id ?? "";
  expect(countsOf(coder)).toMatchObject({ "start tester 403": 12 });
  const recordedOf = async (id: string) =>
    (await auditOf(server, id)).map(({ action, status }) => `${action} ${status}`);
  expect((await recordedOf(coder)).filter((call) => call === "createRun 403").length).toBeGreaterThan(12);
  const recorded = await recordedOf(root);
  for (const refused of ["createRun 403", "createRun 409", "followUp 404", "cancelRun 404"])
    expect(recorded).toContain(refused);
  for (const refused of ["reportBlocked 404", "waitForRuns 404", "waitForRuns 400"])
    expect(recorded).toContain(refused);
  expect((await story.run(stranger)).state).not.toBe("BLOCKED");
}, 240_000);

test("an agent that floods notes and questions, and uses its token after its end, is bounded, refused and recorded", async () => {
  const { server, story, start } = await serverWithAgent(FLOODING);
  const id = await start();
  await waitFor(async () => {
    const { state, is_sandbox_running: isRunning } = await story.run(id);
    return state === "BLOCKED" && !isRunning;
  });
  const counts = JSON.parse(inWorkspace(server, id, "counts.json"));
  expect(counts).toEqual({ 200: 60, 429: 60 });
  const note = await server.api<{ text: string }>("GET", `/agent/runs/${id}/note`);
  expect(note.text.length).toBe(MAX_NOTE);
  const overLimit = (await auditOf(server, id)).filter(({ status }) => status === 429);
  expect(overLimit.map(({ repeats }) => repeats)).toEqual([59]);

  const key = inWorkspace(server, id, "token");
  const late: [method: string, path: string, body?: object][] = [
    ["POST", "/agent/runs", { prompt: "Again.", agent: "boss" }],
    ["PUT", `/agent/runs/${id}/note`, { text: "Again." }],
    ["GET", `/agent/runs/${id}`],
  ];
  for (const [method, path, body] of late)
    expect((await ask(server, method, path, { key, body })).status).toBe(401);
  const tools = await fetch(`${server.url}/api/v1/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
  });
  expect(tools.status).toBe(401);
  const unauthorized = (await auditOf(server, id)).filter(({ status }) => status === 401);
  expect(unauthorized.map(({ action }) => action).sort()).toEqual(["createRun", "getRun", "mcp", "putNote"]);
}, 120_000);
