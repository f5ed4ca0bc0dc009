import { describe, expect, test } from "vitest";
import { ask, makeKey } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { mcpClient, serverWithFactoryTools } from "../../given/family.ts";

const stage = sharedByFile(serverWithFactoryTools);

/** A foreman with a task, and the helper that it has sent a part of it. */
async function family() {
  const { dispatched, tokenOf, client } = stage();
  const boss = await dispatched({ title: "Build the shed" });
  const sent = await boss.use("send_task", { agent: "helper", note: "Saw the boards.", title: "Boards" });
  const id = String(sent.data.run_id);
  const token = await tokenOf(id);
  return { boss, sent, helper: { id, token, ...(await client(token)) } };
}

describe("with the token of a run, the public names of tools", () => {
  test("start another agent once, and are only those that the run can use", async () => {
    const { story, root, client } = stage();
    const { boss, sent, helper } = await family();
    const again = await boss.use("send_task", {
      agent: "helper",
      prompt: "Saw the boards.",
      title: "Boards",
    });
    expect(again.data.run_id).toBe(sent.data.run_id);
    expect(await story.run(helper.id)).toMatchObject({
      parent_run_id: boss.id,
      source: "ORCHESTRATION",
      title: "Boards",
    });
    expect((await boss.use("send_task", { note: "Saw." })).text).toMatch(/missing key "agent".*helper/);
    expect(await boss.names()).not.toContain("message_foreman");
    expect(await helper.names()).toEqual(
      expect.arrayContaining(["send_task", "message_foreman", "finish_task"]),
    );
    const alone = await client((await root()).key);
    expect(await alone.names()).toEqual([
      ...["list_tasks", "search_task", "send_task", "get_conversation"],
      ...["finish_task", "report_pr", "report_external_reference"],
    ]);
    expect((await alone.use("list_factories")).text).toMatch(/leave factory_uid out/);
  });

  test("report to the foreman and leave its task open, until the foreman finishes it", async () => {
    const { story, task } = stage();
    const { boss, helper } = await family();
    await helper.use("report_pr", { pr_url: "https://example.com/pull/9", branch: "shed" });
    const link = { url: "https://linear.app/x/S-1", reference_type: "LINEAR_ISSUE", title: "S-1" };
    await helper.use("report_external_reference", link);
    expect((await helper.use("message_foreman", { message: "Sawn." })).data).toMatchObject({
      run_id: boss.id,
    });
    const back = await helper.use("send_task", {
      factory_task_uid: boss.task,
      note: "All sawn.",
      branch: "shed",
    });
    expect(back.data).toMatchObject({ mode: "handback", run_id: boss.id });
    expect((await helper.use("finish_task", { status: "success", summary: "Sawn." })).text).toContain(
      "gets it",
    );
    expect(await story.run(helper.id)).toMatchObject({
      answer: "Sawn.",
      artifacts: [
        { artifact_type: "PULL_REQUEST", data: { url: "https://example.com/pull/9", branch: "shed" } },
        { artifact_type: "EXTERNAL_REFERENCE", data: link },
      ],
    });
    expect((await task(boss.task)).stage).toBe("TRIAGE");
    expect((await boss.use("get_conversation", { run_id: helper.id })).text).toContain("Sawn.");
    expect((await boss.use("get_conversation")).text).toContain("All sawn.\n\nBranch: shed");
    await boss.use("finish_task", { status: "failure", summary: "No roof yet." });
    expect((await task(boss.task)).stage).toBe("TRIAGE");
    expect((await boss.use("finish_task", { answer: "It stands." })).data).toMatchObject({
      stage: "COMPLETE",
    });
    expect(await story.run(boss.id)).toMatchObject({ answer: "It stands." });
  });

  test("complete the task of the run with any of its runs, and do so twice without harm", async () => {
    const { task } = stage();
    const { boss, helper } = await family();
    expect((await helper.use("get_task")).data).toMatchObject({ factory_task_uid: boss.task });
    await helper.use("complete_task", { run_id: helper.id, summary: "Done." });
    expect((await boss.use("complete_task")).data).toMatchObject({ stage: "COMPLETE" });
    expect((await task(boss.task)).stage).toBe("COMPLETE");
  });
});

describe("a hostile caller", () => {
  test("with the token of a run reaches no other task, family or factory", async () => {
    const { server, dispatched, task } = stage();
    const { boss, helper } = await family();
    const other = await dispatched({ title: "Strange" });
    await server.api("POST", "/factories", { name: "elsewhere" });
    const refused: [tool: string, given: object][] = [
      ["get_task", { factory_task_uid: other.task }],
      ["get_task", { factory_task_uid: other.id }],
      ["complete_task", { factory_task_uid: other.task }],
      ["complete_task", { run_id: other.id }],
      ["get_conversation", { run_id: other.id }],
      ["get_conversation", { factory_task_uid: other.task }],
      ["list_tasks", { factory_uid: "elsewhere" }],
      ["search_task", { query: "Strange", factory_uid: "elsewhere" }],
      ["send_task", { factory_uid: "elsewhere", agent: "helper", note: "Out." }],
      ["send_task", { factory_task_uid: other.task, note: "Yours." }],
      ["send_task", { agent: "nobody", note: "Help." }],
      ["list_tasks", { created_by_me: true }],
    ];
    for (const [name, given] of refused) {
      const answer = await boss.use(name, given);
      expect([name, given, answer.isError]).toEqual([name, given, true]);
      expect(answer.text).toMatch(/\. .+\.$/s);
    }
    expect(
      (await helper.use("message_foreman", { factory_task_uid: other.task, message: "Hi." })).isError,
    ).toBe(true);
    expect((await helper.use("send_task", { agent: "boss", note: "Do mine." })).text).toMatch(
      /may not send new work.*mayStart/,
    );
    const upward = await helper.use("get_conversation", { factory_task_uid: boss.task });
    expect(upward.text).toMatch(/reads the conversations of its own run and of runs that descend from it/);
    expect((await task(other.task)).stage).toBe("TRIAGE");
    const talk = await ask<{ messages: object[] }>(server, "GET", `/agent/runs/${other.id}/conversation`);
    expect(talk.body.messages).toHaveLength(1);
  });

  test("with a key of another factory finds nothing of this one", async () => {
    const { server, client } = stage();
    const { boss } = await family();
    await server.api("POST", "/factories", { name: "apart" });
    const { key } = await makeKey(server, {
      name: "apart",
      kind: "agent",
      role: "operator",
      factories: ["apart"],
    });
    const { use } = await client(key);
    expect((await use("search_task", { query: "shed" })).data.tasks).toEqual([]);
    for (const [name, given] of [
      ["get_task", { factory_task_uid: boss.task }],
      ["get_task", { run_id: boss.id }],
      ["list_tasks", { factory_uid: "acme" }],
      ["send_task", { factory_uid: "acme", note: "Do it." }],
      ["send_task", { factory_task_uid: boss.task, note: "Do it." }],
      ["message_foreman", { factory_task_uid: boss.task, message: "Hi." }],
      ["complete_task", { run_id: boss.id }],
      ["get_conversation", { run_id: boss.id }],
    ] as const)
      expect([name, given, (await use(name, given)).isError]).toEqual([name, given, true]);
    expect((await stage().task(boss.task)).stage).toBe("TRIAGE");
  });

  test("is told what is wrong with the arguments of a call, also under two names of one argument", async () => {
    const { boss } = await family();
    const wrong = await boss.use("send_task", { task: "x" });
    expect(wrong.text).toMatch(/missing key "note".*unknown key "task".*Expected: \{"note": string/s);
    expect((await boss.use("finish_task", { summary: "a", answer: "b" })).text).toContain(
      'unknown key "answer"',
    );
    expect((await boss.use("report_pr", { url: "javascript:alert(1)" })).isError).toBe(true);
    expect((await boss.use("list_tasks", { stage: ["DONE"] })).text).toContain("expected one of TRIAGE");
    const key = await mcpClient(stage().server, boss.token);
    expect((await key.use("finish_task", { summary: "a" })).text).toContain('There is no tool "finish_task"');
  });

  test("cannot use the token of a turn that has ended", async () => {
    const { end, client, task } = stage();
    const { boss } = await family();
    await end(boss.id);
    await expect(boss.use("complete_task")).rejects.toThrow(/401|not a valid|key/);
    await expect(client(boss.token)).rejects.toThrow();
    expect((await task(boss.task)).stage).toBe("TRIAGE");
  });
});
