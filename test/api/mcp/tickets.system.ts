import { expect, test } from "vitest";
import { ask, makeKey } from "../../given/ask.ts";
import { serverWithFactoryTools } from "../../given/factory-tools.ts";

test("a ticket is that of the task, whatever metadata an agent gives to the runs that it starts", async () => {
  const { client, dispatched, startWith } = await serverWithFactoryTools();
  const victim = await dispatched({ title: "Victim", ticket_ref: "linear:V-1" });
  const other = await dispatched({ title: "Other" });
  const metadata = { ticket_source: "linear", ticket_id: "V-1" };
  expect((await startWith(other.token, { agent: "helper", metadata })).status).toBe(200);
  const { use } = await client();
  expect((await use("get_task", { factory_task_uid: "linear:V-1" })).data.title).toBe("Victim");
  const sent = await use("send_task", { factory_task_uid: "linear:V-1", note: "For the victim." });
  expect(sent.data.factory_task_uid).toBe(victim.task);
});

test("a ticket that two factories have is only found in one that is named, and nobody else reads what is sent", async () => {
  const { client, dispatched, server } = await serverWithFactoryTools();
  await ask(server, "POST", "/factories", { body: { name: "apart" } });
  const { key } = await makeKey(server, { name: "apart", role: "operator", factories: ["apart"] });
  const ticket = { ticket_ref: "linear:V-1" };
  const victim = await dispatched({ title: "Victim", ...ticket });
  const body = { prompt: "x", title: "Thief", ...ticket };
  expect((await ask(server, "POST", "/factory/apart/runs", { key, body })).status).toBe(200);
  const { use } = await client();
  for (const name of ["get_task", "complete_task"]) {
    const answer = await use(name, { factory_task_uid: "linear:V-1" });
    expect([answer.isError, answer.text]).toEqual([
      true,
      expect.stringMatching(/^2 tasks have the ticket .*"Thief".*"Victim"|^2 tasks .*"Victim".*"Thief"/),
    ]);
  }
  const sent = await use("send_task", {
    factory_uid: "acme",
    factory_task_uid: "linear:V-1",
    note: "Go on.",
  });
  expect(sent.data.factory_task_uid).toBe(victim.task);
});

test("a message of very many values is refused before its schema is looked at", async () => {
  const { server } = await serverWithFactoryTools();
  const values = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]));
  const params = { name: "list_tasks", arguments: {}, _meta: values };
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  for (const path of ["/mcp", "/mcp/factory"]) {
    const { status, body: problem } = await ask(server, "POST", path, { headers, body });
    expect([path, status, problem.detail]).toEqual([path, 400, expect.stringContaining("10000 values")]);
  }
});
