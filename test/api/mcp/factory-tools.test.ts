import { describe, expect, test } from "vitest";
import { makeKey } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { serverWithFactoryTools } from "../../given/family.ts";

const stage = sharedByFile(serverWithFactoryTools);

describe("with an API key, the public names of tools", () => {
  test("send a task to the foreman, which gets the note with the branch, the ticket and the stage", async () => {
    const { client, story, task } = stage();
    const { use, names } = await client();
    expect(await names()).toEqual([
      "list_factories",
      "list_tasks",
      "search_task",
      "get_task",
      "send_task",
      "message_foreman",
      "get_conversation",
      "complete_task",
    ]);
    const [factory] = (await use("list_factories")).data.factories as { factory_uid: string; name: string }[];
    expect(factory?.name).toBe("acme");
    const listed = await use("list_factories");
    expect(listed.data.text).toBe(listed.text);
    const sent = await use("send_task", {
      factory_uid: factory?.factory_uid,
      title: "Fix the door",
      note: "The door does not close.",
      ticket_ref: "linear:D-1",
      branch: "door",
      pr_url: "https://example.com/pull/1",
      stage_hint: "review",
    });
    expect(sent.data).toMatchObject({ mode: "new", ticket_ref: "linear:D-1", foreman_agent: "boss" });
    const run = await story.run(String(sent.data.run_id));
    expect(run.prompt).toContain(
      "The door does not close.\n\nTicket: linear:D-1\nBranch: door\nPull request: https://example.com/pull/1\nSuggested stage: review",
    );
    expect(await task(String(sent.data.factory_task_uid))).toMatchObject({
      title: "Fix the door",
      stage: "TRIAGE",
    });
  });

  test("find a task by its title, its UID, its URLs and its ticket", async () => {
    const { client, dispatched } = stage();
    const { id, task } = await dispatched({ title: "Paint the fence", ticket_ref: "jira:F-2" });
    const { use } = await client();
    const [found] = (await use("search_task", { query: "the FENCE" })).data.tasks as Record<string, string>[];
    expect(found).toMatchObject({ factory_task_uid: task, run_id: id });
    expect((await use("list_tasks", { stage: ["TRIAGE"], created_by_me: true })).text).toContain(
      `${task} TRIAGE: Paint the fence (jira:F-2)`,
    );
    expect((await use("list_tasks", { stage: ["COMPLETE"], created_by: "nobody" })).text).toBe(
      "There are no such tasks.",
    );
    for (const reference of [task, id, found?.run_url, found?.task_url, "jira:F-2"]) {
      const one = await use("get_task", { factory_task_uid: reference });
      expect(one.data).toMatchObject({ factory_task_uid: task, runs: [{ run_id: id, agent: "boss" }] });
    }
    expect((await use("get_task", { factory_task_uid: "jira:F-3" })).text).toBe(
      "No task has the ticket jira:F-3. list_tasks shows the tasks of a factory.",
    );
    expect((await use("get_task", { factory_task_uid: "https://example.com/pull/7" })).text).toMatch(
      /is not a reference to a task\. Give the UID/,
    );
  });

  test("take a task over with git commands, which never contain what a shell could run", async () => {
    const { client, dispatched, server, story } = stage();
    const { id, task, use } = await dispatched({
      title: "Oil the lock",
      ...{ ticket_ref: "linear:L-1", ticket_url: "https://linear.example/L-1" },
    });
    const key = await client();
    const start = (more: object = {}) =>
      key.use("get_task", { task_uid: task, start_working: true, workspace_dir: "/home/a/it's", ...more });
    expect((await start()).data).toMatchObject({
      active_runs: [{ run_id: id }],
      next_actions: [
        "git -C '/home/a/it'\\''s' fetch origin",
        `git -C '/home/a/it'\\''s' worktree add -b task-${task} '/home/a/it'\\''s/../task-${task}' origin/HEAD`,
      ],
    });
    await use("report_pr", { url: "https://example.com/pull/2", branch: "oil" });
    expect((await key.use("get_task", { task_uid: task })).text).toBe(
      [
        `${task} TRIAGE: Oil the lock (linear:L-1), boss is INPROGRESS`,
        `${server.url}/tasks/${task}`,
        ...["Ticket: https://linear.example/L-1", "Runs:", `- run ${id} of boss: INPROGRESS`],
        ...["Outputs:", "- PULL_REQUEST https://example.com/pull/2 (branch oil)"],
      ].join("\n"),
    );
    const told = await start({ notify_foreman: true, note: "Please wait." });
    expect(told.data).toMatchObject({ notified_run_id: id });
    expect((told.data.next_actions as string[])[0]).toMatch(/fetch origin oil$/);
    await use("report_pr", { url: "https://example.com/pull/3", branch: "--upload-pack=x;reboot" });
    expect((await start()).data.next_actions).toEqual([]);
    expect((await start()).text).toContain("not safe in a command");
    const talk = await key.use("get_conversation", { factory_task_uid: task });
    expect(talk.text).toMatch(/continued outside the factory, on the branch oil\.\n\nPlease wait\./);
    expect((await key.use("get_task", { task_uid: task, notify_foreman: true })).text).toContain(
      "start_working",
    );
    expect(await story.run(id)).toMatchObject({ state: "INPROGRESS" });
  });

  test("write to the foreman, hand work back to it, read its conversation from the end, and complete the task", async () => {
    const { client, dispatched, task: taskOf } = stage();
    const { id, task } = await dispatched({ title: "Wash the car" });
    const { use } = await client();
    expect(
      (await use("message_foreman", { factory_task_uid: task, message: "Is it clean?" })).data,
    ).toMatchObject({
      run_id: id,
      outcome: "queue_pending",
    });
    const back = await use("send_task", { factory_task_uid: task, note: "Nearly.", branch: "wash" });
    expect(back.data).toMatchObject({ mode: "handback", factory_task_uid: task, run_id: id });
    const last = await use("get_conversation", { factory_task_uid: task, limit: 2 });
    expect(last.data).toMatchObject({
      messages: [
        { index: 1, text: "Is it clean?" },
        { index: 2, text: "Nearly.\n\nBranch: wash" },
      ],
      ...{ has_more_before: true, truncated: true, next_before_index: 1 },
    });
    const first = await use("get_conversation", { run_id: id, before_index: 1 });
    expect(first.data).toMatchObject({ messages: [{ index: 0, kind: "prompt" }], has_more_before: false });
    expect((await taskOf(task)).stage).toBe("TRIAGE");
    for (const named of [{ run_id: id }, { factory_task_uid: task }, { task_uid: task }])
      expect((await use("complete_task", named)).data).toMatchObject({ stage: "COMPLETE" });
    expect((await taskOf(task)).stage).toBe("COMPLETE");
    expect((await use("complete_task", { task_uid: task, summary: "Clean." })).text).toContain(
      "Leave it out",
    );
  });

  test("change nothing without the role operator, and say so", async () => {
    const { client, server, dispatched } = stage();
    const { task } = await dispatched();
    const { key } = await makeKey(server, { name: "reader", kind: "personal", role: "viewer" });
    const { use, names } = await client(key);
    expect(await names()).toEqual([
      "list_factories",
      "list_tasks",
      "search_task",
      "get_task",
      "get_conversation",
    ]);
    expect((await use("get_task", { factory_task_uid: task })).isError).toBe(false);
    expect((await use("complete_task", { factory_task_uid: task })).text).toContain("role operator");
    const told = { factory_task_uid: task, start_working: true, notify_foreman: true };
    expect((await use("get_task", told)).isError).toBe(true);
  });
});
