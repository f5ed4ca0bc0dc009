import { expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { agentWith, mcpClient, serverWithFamily } from "../../given/family.ts";
import { holdRequest } from "../../given/held-request.ts";

const FILES = { "agents/coder/agent.md": agentWith("agentType: IMPLEMENT") };

const stage = sharedByFile(() => serverWithFamily(FILES));

/** A foreman and the coder that it has started, both at work; and what begins the next turn of the foreman. */
async function atWork() {
  const given = stage();
  const { root, startWith, tokenOf, end, server } = given;
  const { id, key } = await root();
  const child = (await startWith(key, { agent: "coder" })).body.run_id;
  await tokenOf(child);
  return {
    ...given,
    ...{ id, key, child },
    async nextTurn() {
      await end(id, 1);
      await ask(server, "POST", `/agent/runs/${id}/followups`, { body: { message: "Go on." } });
      return tokenOf(id, 2);
    },
  };
}

test("a request that was held back in one turn does nothing in the next", async () => {
  const { server, id, key, child, nextTurn } = await atWork();
  const deeds: [method: string, path: string, body: object][] = [
    ["POST", `/agent/runs/${id}/blocked`, { message: "Pay me." }],
    ["POST", `/agent/runs/${id}/answer`, { text: "Forged." }],
    ["POST", `/agent/runs/${id}/status`, { text: "Forged." }],
    ["PUT", `/agent/runs/${id}/note`, { text: "Forged." }],
    ["POST", `/agent/runs/${id}/artifacts`, { artifact_type: "PLAN", data: { title: "Forged." } }],
    ["POST", `/agent/runs/${id}/wait`, { run_ids: [child] }],
    ["POST", `/agent/runs/${id}/oidc-token`, { audience: "vault.example.com" }],
    ["POST", `/agent/runs/${child}/followups`, { message: "Forged." }],
    ["POST", `/agent/runs/${child}/cancel?tree=true`, {}],
    ["POST", "/agent/runs", { agent: "coder", prompt: "Forged." }],
    [
      "POST",
      "/mcp",
      {
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name: "ask_person", arguments: { question: "Forged?" } },
      },
    ],
  ];
  const held = await Promise.all(
    deeds.map(([method, path, body]) =>
      holdRequest(server, method, path, { key, body, accept: "application/json, text/event-stream" }),
    ),
  );
  await nextTurn();
  const answers = await Promise.all(held.map(({ send }) => send()));
  for (const [index, { text }] of answers.entries())
    expect(text, deeds[index]?.join(" ")).toContain("The turn of this run token has ended");
  expect(answers.slice(0, -1).map(({ status }) => status)).toEqual(deeds.slice(0, -1).map(() => 401));

  const run = await server.api<Record<string, unknown>>("GET", `/agent/runs/${id}`);
  expect(run).toMatchObject({ state: "INPROGRESS", artifacts: [] });
  expect(await server.api("GET", `/agent/runs/${child}`)).toMatchObject({ state: "INPROGRESS" });
  for (const path of [`/agent/runs/${id}/note`, `/agent/runs/${id}/tree`, `/agent/runs/${id}/conversation`])
    expect(JSON.stringify(await server.api("GET", path))).not.toContain("Forged");
  expect(JSON.stringify(run)).not.toContain("Forged");
});

test("a wait that is held open when its turn ends is not taken up again in the next turn", async () => {
  const { server, id, key, story, nextTurn } = await atWork();
  const { use } = await mcpClient(server, key);
  const waited = use("wait_for");
  await expect.poll(async () => (await story.run(id)).waiting_for).toHaveLength(1);
  await nextTurn();
  expect(await waited).toMatchObject({
    isError: true,
    text: expect.stringContaining("The turn of this run token has ended"),
  });
  expect((await story.run(id)).waiting_for).toBeUndefined();
});

test("a wait ends when its client has gone", async () => {
  const { server, id, key, story } = await atWork();
  const gone = new AbortController();
  const params = { name: "wait_for", arguments: {} };
  const asked = fetch(`${server.url}/api/v1/mcp`, {
    method: "POST",
    signal: gone.signal,
    headers: {
      ...{ authorization: `Bearer ${key}`, "content-type": "application/json" },
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  await asked;
  await expect.poll(async () => (await story.run(id)).waiting_for).toHaveLength(1);
  gone.abort();
  const calls = async () => {
    const { audit_log: log } = await server.api<{ audit_log: { run_id?: string }[] }>(
      "GET",
      "/audit-log?limit=500&action=waitForRuns",
    );
    return log.filter(({ run_id }) => run_id === id).length;
  };
  // The agent can still write: a wait that went on without a client would have used up its writes of the minute.
  for (let tried = 0; tried < 20; tried += 1) {
    const { status } = await ask(server, "POST", `/agent/runs/${id}/status`, {
      key,
      body: { text: "On it." },
    });
    expect(status).toBe(200);
  }
  expect(await calls()).toBeLessThan(4);
});

test("a poll that reads a run with the token of one turn ends when the next turn begins", async () => {
  const { server, id, key, child, end, tokenOf, story } = await atWork();
  await ask(server, "POST", `/agent/runs/${id}/wait`, { key, body: { run_ids: [child] } });
  const polled = ask<{ detail?: string }>(server, "GET", `/agent/runs/${id}?wait=60s`, { key });
  const ended = end(id).catch(() => undefined);
  await expect.poll(async () => (await story.run(id)).is_sandbox_running).toBe(false);
  await end(child);
  await tokenOf(id, 2);
  expect((await polled).status).toBe(401);
  await end(id);
  await ended;
});
