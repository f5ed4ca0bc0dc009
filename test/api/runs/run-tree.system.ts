import { describe, expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { agentWith, serverWithFamily } from "../../given/family.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";

interface Tree {
  root_run_id: string;
  runs: { run_id: string; state: string }[];
}

const stage = sharedByFile(() =>
  serverWithFamily({
    "agents/coder/agent.md": agentWith("agentType: IMPLEMENT\nmillrace: { mayStart: [tester] }"),
    "agents/tester/agent.md": agentWith("agentType: VERIFY"),
  }),
);

/** A foreman, its coder and the coder's tester, all at work. */
async function family() {
  const given = stage();
  const { root, startWith, tokenOf, server } = given;
  const boss = await root();
  const coder = (await startWith(boss.key, { agent: "coder", title: "Code it" })).body.run_id;
  const coderKey = await tokenOf(coder);
  const tester = (await startWith(coderKey, { agent: "tester" })).body.run_id;
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  return {
    ...given,
    boss,
    coder,
    coderKey,
    tester,
    testerKey: await tokenOf(tester),
    millrace: (...args: string[]) => run(["runs", ...args], env),
    treeOf: async (id: string, key = ADMIN_KEY) =>
      (await ask<Tree & Record<string, unknown>>(server, "GET", `/agent/runs/${id}/tree`, { key })).body,
  };
}

describe("the family of a run", () => {
  test("is one tree, whichever of its runs is named", async () => {
    const { boss, coder, tester, treeOf } = await family();
    const tree = await treeOf(tester);
    expect(tree.root_run_id).toBe(boss.id);
    expect(tree.runs).toMatchObject([
      { run_id: boss.id, parent_run_id: null, agent: "boss", state: "INPROGRESS", is_sandbox_running: true },
      { run_id: coder, parent_run_id: boss.id, agent: "coder", title: "Code it" },
      { run_id: tester, parent_run_id: coder, agent: "tester" },
    ]);
  });

  test("is shown to an agent from its own run down", async () => {
    const { coder, coderKey, tester, treeOf } = await family();
    const { runs } = await treeOf(tester, coderKey);
    expect(runs.map(({ run_id }) => run_id)).toEqual([coder, tester]);
  });

  test("is printed as a tree", async () => {
    const { boss, coder, tester, millrace } = await family();
    const { printed } = await millrace("tree", coder);
    const lines = printed.split("\n");
    expect(lines[1]).toMatch(new RegExp(`^${boss.id} +boss +INPROGRESS`));
    expect(lines[2]).toMatch(new RegExp(`^  ${coder} +coder +INPROGRESS .* Code it$`));
    expect(lines[3]).toMatch(new RegExp(`^    ${tester} +tester`));
  });

  test("ends as a whole, with the runs that wait for a person, and not with its root alone", async () => {
    const { boss, coder, coderKey, tester, testerKey, story, server, millrace } = await family();
    await ask(server, "POST", `/agent/runs/${tester}/blocked`, {
      key: testerKey,
      body: { message: "May I?" },
    });
    await server.api("POST", `/agent/runs/${boss.id}/cancel`);
    await story.ended(boss.id);
    expect((await story.run(coder)).state).toBe("INPROGRESS");
    const { printed } = await millrace("cancel", "--tree", coder);
    expect(printed).toContain(coder);
    expect([(await story.ended(coder)).state, (await story.ended(tester)).state]).toEqual([
      "CANCELLED",
      "CANCELLED",
    ]);
    expect(await story.run(tester)).toMatchObject({
      status_message: { message: expect.stringContaining("Dismissed by") },
    });
    expect(
      (await ask(server, "POST", "/agent/runs", { key: coderKey, body: { prompt: "Do it." } })).status,
    ).toBe(401);
  });

  test("ends below a root that has ended before, and only once", async () => {
    const { boss, coder, tester, story, server, end } = await family();
    await end(boss.id);
    const cancel = () => ask(server, "POST", `/agent/runs/${boss.id}/cancel?tree=true`);
    expect((await cancel()).status).toBe(200);
    await Promise.all([coder, tester].map((id) => story.ended(id)));
    expect((await story.run(boss.id)).state).toBe("SUCCEEDED");
    expect((await cancel()).status).toBe(400);
  });

  test("leaves no run behind that its agents start while it is ended", async () => {
    const { boss, coder, coderKey, startWith, story, server, treeOf } = await family();
    const starts = (key: string, agent: string) =>
      Array.from({ length: 10 }, () => startWith(key, { agent }));
    const before = [...starts(boss.key, "coder"), ...starts(coderKey, "tester")];
    const ended = Promise.all(
      [boss.id, coder].map((id) => ask(server, "POST", `/agent/runs/${id}/cancel?tree=true`)),
    );
    const answers = await Promise.all([
      ...before,
      ...starts(boss.key, "coder"),
      ...starts(coderKey, "tester"),
    ]);
    await ended;
    // A start that was taken is of a run that was ended too; every other one was refused.
    const started = answers.filter(({ status }) => status === 200).map(({ body }) => body.run_id);
    expect(answers.filter(({ status }) => ![200, 401, 409].includes(status))).toEqual([]);
    const { runs } = await treeOf(boss.id);
    expect(started.filter((id) => !runs.some(({ run_id }) => run_id === id))).toEqual([]);
    for (const { run_id } of runs) expect((await story.ended(run_id)).state).toBe("CANCELLED");
    expect((await startWith(boss.key, { agent: "coder" })).status).toBe(401);
    expect((await treeOf(boss.id)).runs).toHaveLength(runs.length);
  });

  test("shows on the page of a child how its parent has ended; a child goes on when its parent is deleted", async () => {
    const { boss, coder, tester, server, story, end, treeOf } = await family();
    await end(boss.id, 3);
    expect(await story.run(coder)).toMatchObject({
      state: "INPROGRESS",
      parent: { run_id: boss.id, state: "FAILED" },
    });
    await server.api("DELETE", `/agent/runs/${boss.id}`);
    const child = await story.run(coder);
    expect(child).toMatchObject({ state: "INPROGRESS", parent_run_id: boss.id });
    expect(child).not.toHaveProperty("parent");
    expect((await treeOf(tester)).runs.map(({ run_id }) => run_id)).toEqual([coder, tester]);
  });
});
