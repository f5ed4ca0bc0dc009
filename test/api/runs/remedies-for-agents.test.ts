import { expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { agentWith, serverWithFamily } from "../../given/family.ts";

const stage = sharedByFile(() => serverWithFamily({ "agents/coder/agent.md": agentWith() }));

interface Refused {
  detail: string;
  remedy: string;
}

test("an agent that cannot cancel a run with a question is told what it can do, and a person what a person can do", async () => {
  const { root, startWith, tokenOf, server, story } = stage();
  const { key } = await root();
  const { body: child } = await startWith(key, { agent: "coder" });
  const blocked = await ask(server, "POST", `/agent/runs/${child.run_id}/blocked`, {
    key: await tokenOf(child.run_id),
    body: { message: "Which one?" },
  });
  expect(blocked.status).toBe(200);

  const cancel = (query: string, as: { key?: string }) =>
    ask<Refused>(server, "POST", `/agent/runs/${child.run_id}/cancel${query}`, as);
  const toAgent = await cancel("", { key });
  expect(toAgent.status).toBe(400);
  expect(toAgent.body.remedy).toContain("`cancel_agent` with `tree`");
  expect(toAgent.body.remedy).not.toContain("dismiss");
  expect((await cancel("", {})).body.remedy).toContain(`millrace runs dismiss ${child.run_id}`);

  expect((await cancel("?tree=true", { key })).status).toBe(200);
  expect((await story.ended(child.run_id)).state).toBe("CANCELLED");
});

test("an agent that names what it has no access to is told what it has access to", async () => {
  const { root, server, get } = stage();
  const [{ key }, other] = [await root(), await root()];
  const run = await get(`/agent/runs/${other.id}`, key);
  expect(run).toMatchObject({ status: 404, body: { remedy: expect.stringContaining("list_agents") } });
  const task = await get("/factory/acme/tasks/no-such-task", key);
  expect(task).toMatchObject({ status: 404, body: { remedy: expect.stringContaining("task_uid") } });
  const asKey = await ask<Refused>(server, "GET", "/factory/acme/tasks/no-such-task", {});
  expect(asKey.body.remedy).toContain("millrace tasks list");
});
