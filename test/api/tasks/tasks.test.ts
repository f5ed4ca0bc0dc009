import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Models } from "../../../src/client/client.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { waitFor } from "../../given/server.ts";

type Task = Models["Task"];
type Tasks = Models["TaskList"];

/** Asks what it is told to ask, reports a link, or stays. */
const AGENT = `
  import { readFileSync, writeFileSync } from "node:fs";
  const prompt = readFileSync("prompt.md", "utf8");
  const { MILLRACE_API_URL: api, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const post = (rest, body) => fetch(\`\${api}/api/v1/agent/runs/\${id}/\${rest}\`, {
    method: "POST",
    headers: { authorization: \`Bearer \${token}\` },
    body: JSON.stringify(body),
  });
  if (prompt.includes("Report.")) {
    await post("artifacts", { artifact_type: "PULL_REQUEST", data: { url: "https://example.com/pull/1" } });
  }
  if (prompt.includes("Ask.")) await post("blocked", { message: "Which one?" });
  if (prompt.includes("Stay.")) {
    writeFileSync("token", token);
    setInterval(() => {}, 1000);
  }`;

const stage = sharedByFile(() => serverWithAgent(AGENT));
const api = <Answer>(method: string, path: string, body?: object) =>
  stage().server.api<Answer>(method, `/factory/acme${path}`, body);

/** Dispatches a run. @returns its task */
async function dispatched(prompt: string, more: object = {}): Promise<Task> {
  const { task_uid } = await api<{ task_uid: string }>("POST", "/runs", { prompt, ...more });
  return api("GET", `/tasks/${task_uid}`);
}

/** Starts a run for another one. @returns its id when it has ended */
async function child(parent: string, prompt: string): Promise<string> {
  const { run_id } = await stage().server.api<{ run_id: string }>("POST", "/agent/runs", {
    prompt,
    factory: "acme",
    parent_run_id: parent,
  });
  return run_id;
}

describe("a dispatched run", () => {
  test("comes with a task, which its prompt names", async () => {
    const { story } = stage();
    const task = await dispatched("Fix the door.", { title: "Door", ticket_ref: "linear:T-7" });
    expect(task).toMatchObject({
      title: "Door",
      stage: "TRIAGE",
      ticket_source: "linear",
      ticket_id: "T-7",
      conversation_id: task.run_id,
      author: { display_name: "admin" },
      current_run: { run_id: task.run_id, is_run_type_cancellable: true },
      outputs: [],
    });
    const run = await story.ended(task.run_id);
    expect(run.task_uid).toBe(task.uid);
    expect(run.prompt).toContain(`This run works on the task ${task.uid} of the factory "acme": "Door".`);
    expect(run.prompt).toContain("or to CANCELLED if it is given up.");
    for (const path of [`task-by-run?run_id=`, `task-by-conversation?conversation_id=`]) {
      expect((await api<Task>("GET", `/${path}${task.run_id}`)).uid).toBe(task.uid);
    }
  });

  test("has the runs that it starts in its task, with what they make and say", async () => {
    const { story } = stage();
    const task = await dispatched("Lead.", {
      ticket_ref: "linear:T-8",
      ticket_url: "https://linear.example/8",
    });
    await story.ended(task.run_id);
    const id = await child(task.run_id, "Report.");
    await story.ended(id);
    const { outputs, current_run } = await api<Task>("GET", `/tasks/${task.uid}`);
    expect(outputs).toMatchObject([{ artifact_type: "PULL_REQUEST" }]);
    expect(current_run).toMatchObject({ run_id: id, state: "SUCCEEDED" });
    const { runs } = await api<Models["ListRunsResponse"]>("GET", `/tasks/${task.uid}/runs?limit=1`);
    expect(runs.map(({ run_id }) => run_id)).toEqual([task.run_id]);

    const said = await api<Models["TaskConversation"]>("GET", `/tasks/${task.uid}/conversation`);
    expect(said.messages.map(({ run_id, message }) => [run_id, message.kind])).toEqual([
      [task.run_id, "prompt"],
      [id, "prompt"],
      [id, "report"],
    ]);
    expect(said.links).toMatchObject([
      { type: "ticket", title: "linear:T-8", url: "https://linear.example/8" },
      { type: "pull_request", url: "https://example.com/pull/1" },
    ]);
    const pages = [];
    for (let cursor = ""; ; ) {
      const page = await api<Models["TaskConversation"]>(
        "GET",
        `/tasks/${task.uid}/conversation?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      pages.push(...page.messages);
      if (!page.page_info.next_cursor) break;
      cursor = page.page_info.next_cursor;
    }
    expect(pages).toEqual(said.messages);
  });

  test("that asks makes its task one that waits for an answer, and goes with the task's cancellation", async () => {
    const { story } = stage();
    const task = await dispatched("Ask. Stay.");
    await waitFor(async () => (await story.run(task.run_id)).state === "BLOCKED");
    const path = `/tasks?include_current_run=true&q=${encodeURIComponent("Ask. Stay.")}`;
    const [listed] = (await api<Tasks>("GET", path)).tasks;
    expect(listed).toMatchObject({ uid: task.uid, blocked_run: { run_id: task.run_id, agent: "boss" } });
    const cancelled = await api<Task>("POST", `/tasks/${task.uid}/cancel`);
    expect(cancelled.stage).toBe("CANCELLED");
    expect((await story.ended(task.run_id)).state).toBe("CANCELLED");
  });
});

describe("a task", () => {
  let task: Task;
  beforeAll(async () => {
    task = await dispatched("Work.");
  });

  test("is changed by whoever knows its ETag, or sends none", async () => {
    const { server } = stage();
    const path = `/factory/acme/tasks/${task.uid}`;
    const read = await ask(server, "GET", path);
    const headers = { "if-match": read.headers.get("etag") ?? "" };
    const first = await ask<Task>(server, "PATCH", path, { headers, body: { description: "More." } });
    expect([first.status, first.body.description]).toEqual([200, "More."]);
    expect(first.headers.get("etag")).not.toBe(read.headers.get("etag"));
    expect((await ask(server, "PATCH", path, { headers, body: { stage: "SPEC" } })).status).toBe(412);
    expect((await ask(server, "DELETE", path, { headers })).status).toBe(412);
    const last = await ask<Task>(server, "PATCH", path, { body: { stage: "REVIEW", description: "" } });
    expect(last.body).toMatchObject({ stage: "REVIEW", stage_changed_at: last.body.updated_at });
    expect(last.body).not.toHaveProperty("description");
  });

  test.each<[string, string, object, number, string]>([
    ["an unknown stage", "PATCH", { stage: "DONE" }, 400, "stage"],
    ["an empty title", "PATCH", { title: " " }, 400, "title"],
    ["an unknown field", "PATCH", { status: "x" }, 400, "status"],
    [
      "a conversation of nothing",
      "POST",
      { title: "T", conversation_id: crypto.randomUUID() },
      400,
      "conversation_id",
    ],
  ])("is not written with %s", async (_, method, body, status, field) => {
    const path = `/factory/acme/tasks${method === "POST" ? "" : `/${task.uid}`}`;
    const answer = await ask(stage().server, method, path, { body });
    expect([answer.status, answer.body.field]).toEqual([status, field]);
  });

  test("is of one factory alone", async () => {
    const { server } = stage();
    expect((await ask(server, "GET", `/factory/nobody/tasks/${task.uid}`)).status).toBe(404);
    expect((await ask(server, "GET", "/factory/acme/tasks/nothing")).status).toBe(404);
  });

  test("is found by what it is", async () => {
    const one = await dispatched("p", { title: "100% of ÄPFEL_n", ticket_ref: "jira:J-1" });
    await api("PATCH", `/tasks/${one.uid}`, { stage: "IMPLEMENT" });
    const found = async (query: string) =>
      (await api<Tasks>("GET", `/tasks?${query}`)).tasks.map(({ uid }) => uid);
    expect(await found(`q=${encodeURIComponent("äpfel_")}`)).toEqual([one.uid]);
    expect(await found(`q=${encodeURIComponent("100% of")}`)).toEqual([one.uid]);
    expect(await found("q=10_%25")).toEqual([]);
    expect(await found("stage=IMPLEMENT&stage=SPEC")).toEqual([one.uid]);
    expect(await found("created_by=nobody")).toEqual([]);
    expect(await found("created_by=admin&stage=IMPLEMENT")).toEqual([one.uid]);
    expect(await found(`created_before=${one.created_at}&stage=IMPLEMENT`)).toEqual([]);
    expect(await found(`created_after=${one.created_at}&stage=IMPLEMENT`)).toEqual([one.uid]);
    const [short] = (await api<Tasks>("GET", "/tasks?stage=IMPLEMENT")).tasks;
    expect(short).not.toHaveProperty("ticket_id");
    expect(short).not.toHaveProperty("outputs");
    const [full] = (await api<Tasks>("GET", "/tasks?stage=IMPLEMENT&full_list=true")).tasks;
    expect(full).toMatchObject({ ticket_id: "J-1", outputs: [] });
  });

  test("is listed once on the pages of a list, in either order", async () => {
    for (const order of ["sort_by=created_at&sort_order=asc", "sort_by=updated_at&sort_order=desc"]) {
      const all = (await api<Tasks>("GET", `/tasks?${order}`)).tasks.map(({ uid }) => uid);
      const paged: string[] = [];
      for (let cursor = ""; ; ) {
        const page = await api<Tasks>("GET", `/tasks?${order}&limit=2${cursor && `&cursor=${cursor}`}`);
        paged.push(...page.tasks.map(({ uid }) => uid));
        if (!page.page_info.next_cursor) break;
        cursor = page.page_info.next_cursor;
      }
      expect(paged).toEqual(all);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  test("is read and moved by the agent of its run, which changes no other", async () => {
    const { server } = stage();
    const own = await dispatched("Stay.");
    const file = join(server.dataDir, "workspaces", own.run_id, "token");
    const token = await waitFor(() => (existsSync(file) && readFileSync(file, "utf8")) || undefined);
    const as = { key: token };
    const path = "/factory/acme/tasks";
    const moved = await ask<Task>(server, "PATCH", `${path}/${own.uid}`, { ...as, body: { stage: "SPEC" } });
    expect([moved.status, moved.body.stage]).toEqual([200, "SPEC"]);
    const others = await Promise.all([
      ask(server, "GET", `${path}/${task.uid}`, as),
      ask(server, "PATCH", `${path}/${task.uid}`, { ...as, body: { stage: "SPEC" } }),
      ask(server, "GET", `/factory/acme/task-by-run?run_id=${task.run_id}`, as),
      ask(server, "DELETE", `${path}/${own.uid}`, as),
      ask(server, "POST", `${path}/${own.uid}/cancel`, as),
    ]);
    expect(others.map(({ status }) => status)).toEqual([404, 404, 404, 403, 403]);
    const { tasks } = (await ask<Tasks>(server, "GET", `${path}?include_current_run=true`, as)).body;
    expect(tasks.filter(({ current_run }) => current_run).map(({ uid }) => uid)).toEqual([own.uid]);
    expect(tasks.length).toBeGreaterThan(1);
    await api("POST", `/tasks/${own.uid}/cancel`);
  });
});
