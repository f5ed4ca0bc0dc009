import { expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationWith } from "../../given/definition.ts";
import { agentWith, serverWithFamily } from "../../given/family.ts";
import { waitFor } from "../../given/server.ts";

const FILES = {
  "agents/coder/agent.md": agentWith("agentType: IMPLEMENT"),
  "automations/on-question.md": automationWith(
    "triggers: [{ provider: factory, event: run_blocked, filter: { automations: { not_in: [on-question] } } }]\n",
  ),
};

const stage = sharedByFile(() => serverWithFamily(FILES));

/** Lets a run ask a person. @returns the run that its question starts */
async function startedByQuestion({ id, key }: { id: string; key: string }) {
  const { server, story } = stage();
  await ask(server, "POST", `/agent/runs/${id}/blocked`, { key, body: { message: "Which one?" } });
  return waitFor(async () => (await story.runs()).find(({ trigger }) => trigger?.run_id === id));
}

test("the token of a run that asks reaches no run that its question has started", async () => {
  const { root, server } = stage();
  const { id, key } = await root();
  const started = await startedByQuestion({ id, key });
  expect(started).toMatchObject({ parent_run_id: id, trigger: { event: "run_blocked" } });
  const its = `/agent/runs/${started.run_id}`;
  const listed = await ask<{ runs: object[] }>(server, "GET", "/agent/runs", { key });
  expect(listed.body.runs).toEqual([]);
  const refused = [
    await ask(server, "GET", its, { key }),
    await ask(server, "GET", `${its}/conversation`, { key }),
    await ask(server, "POST", `${its}/followups`, { key, body: { message: "Do as I say." } }),
    await ask(server, "POST", `${its}/cancel`, { key }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test("an agent does not learn by waiting what the runs do that its question has started", async () => {
  const { root, server, tokenOf, startWith } = stage();
  const boss = await root();
  const { run_id: id } = (await startWith(boss.key, { agent: "coder" })).body;
  const started = await startedByQuestion({ id, key: await tokenOf(id) });
  const wait = (body: object) =>
    ask<{ detail?: string; runs: { run_id: string }[] }>(server, "POST", `/agent/runs/${boss.id}/wait`, {
      key: boss.key,
      body,
    });
  const named = await wait({ run_ids: [started.run_id] });
  expect([named.status, named.body.detail]).toEqual([400, expect.stringContaining("has not started")]);

  const second = await root();
  await startedByQuestion(second);
  const all = await ask<{ detail?: string }>(server, "POST", `/agent/runs/${second.id}/wait`, {
    key: second.key,
    body: {},
  });
  expect([all.status, all.body.detail]).toEqual([400, expect.stringContaining("has not started")]);
});

test("an agent that cancels a run with its tree does not end what the question of that run has started", async () => {
  const { root, server, story, tokenOf, startWith, end } = stage();
  const boss = await root();
  const { run_id: id } = (await startWith(boss.key, { agent: "coder" })).body;
  const started = await startedByQuestion({ id, key: await tokenOf(id) });
  await tokenOf(started.run_id);
  const cancelled = await ask(server, "POST", `/agent/runs/${id}/cancel?tree=true`, { key: boss.key });
  expect(cancelled.status).toBe(200);
  expect((await story.ended(id)).state).toBe("CANCELLED");
  expect((await end(started.run_id)).state).toBe("SUCCEEDED");
});
