import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { serving } from "../../given/serving.ts";
import type { Run } from "../../given/story.ts";

const stage = sharedByFile(() => serverWithAgent("console.log('done')"));

describe("a long poll", () => {
  test("is answered when the run ends", async () => {
    const folder = temporaryFolder();
    const { server, start } = await serverWithAgent(`
      import { existsSync } from "node:fs";
      while (!existsSync(${JSON.stringify(join(folder, "go"))})) await new Promise((resolve) => setTimeout(resolve, 10));`);
    const id = await start();
    const polled = server.api<Run>("GET", `/agent/runs/${id}?wait=30s`);
    writeFileSync(join(folder, "go"), "");
    expect((await polled).state).toBe("SUCCEEDED");
    expect((await server.api<Run>("GET", `/agent/runs/${id}?wait=1m`)).state).toBe("SUCCEEDED");
  });

  test("is answered with what the run is when its time is up", async () => {
    const { server, start } = await serverWithAgent("setInterval(() => {}, 1000)");
    const { state } = await server.api<Run>("GET", `/agent/runs/${await start()}?wait=300ms`);
    expect(["QUEUED", "CLAIMED", "INPROGRESS"]).toContain(state);
  });

  test.each(["soon", "30", "-1s", "1h"])("for %s is refused", async (wait) => {
    const { server, start } = stage();
    const answer = await ask(server, "GET", `/agent/runs/${await start()}?wait=${wait}`);
    expect([answer.status, answer.body.field]).toEqual([400, "wait"]);
  });
});

test("the timeline of a run has every step, oldest first, page by page", async () => {
  const { server, story, start } = stage();
  const id = await start();
  await story.ended(id);
  const seen: string[] = [];
  let cursor = "";
  do {
    const page = await server.api<{ events: { event_type: string }[]; page_info: { next_cursor?: string } }>(
      "GET",
      `/agent/runs/${id}/timeline?limit=2${cursor}`,
    );
    seen.push(...page.events.map(({ event_type }) => event_type));
    cursor = page.page_info.next_cursor ? `&cursor=${page.page_info.next_cursor}` : "";
  } while (cursor !== "");
  expect(seen).toEqual(["oz_run_created", "oz_run_claimed", "agent_started", "oz_run_done"]);
});

describe("a factory as the public clients know it", () => {
  test("takes a run for its foreman, with the ticket that it came from", async () => {
    const { server, story } = await serving(FACTORY, {});
    const { uid } = await story.factory();
    const dispatched = await server.api("POST", `/factory/${uid}/runs`, {
      prompt: "p",
      title: "t",
      ticket_ref: "linear:REMOTE-123",
      ticket_url: "https://example.com/REMOTE-123",
    });
    expect(dispatched).toEqual({
      run_id: expect.any(String),
      factory_uid: uid,
      foreman_agent: "boss",
      state: "QUEUED",
      ticket_ref: "linear:REMOTE-123",
      run_url: `${server.url}/runs/${dispatched.run_id}`,
      task_uid: expect.any(String),
    });
    expect(await story.run(String(dispatched.run_id))).toMatchObject({
      title: "t",
      factory_uid: uid,
      metadata: {
        ticket_id: "REMOTE-123",
        ticket_source: "linear",
        ticket_url: "https://example.com/REMOTE-123",
      },
    });
  });

  test("without a ticket gets one in the response, and its task has none", async () => {
    const { server, story } = await serving(FACTORY, {});
    const { uid } = await story.factory();
    const dispatch = (body: object) =>
      server.api<{ ticket_ref: string; task_uid: string }>("POST", `/factory/${uid}/runs`, body);
    const taskOf = ({ task_uid }: { task_uid: string }) =>
      server.api<object>("GET", `/factory/${uid}/tasks/${task_uid}`);
    const adhoc = await dispatch({ prompt: "p" });
    expect(adhoc.ticket_ref).toMatch(/^adhoc:[0-9a-f-]{36}$/);
    const task = await taskOf(adhoc);
    for (const name of ["ticket_id", "ticket_source", "ticket_url"]) expect(task).not.toHaveProperty(name);
    const linked = await dispatch({ prompt: "p", ticket_url: "https://example.com/1" });
    expect(await taskOf(linked)).toMatchObject({ ticket_url: "https://example.com/1" });
  });

  test("is found by its uid and by a part of its name", async () => {
    const { server, story } = await serving(FACTORY, {});
    const { uid } = await story.factory();
    const { factories } = await server.api<{ factories: { uid: string }[] }>("GET", "/factory?search=ACM");
    expect(factories).toEqual([await server.api("GET", `/factory/${uid}`)]);
    expect((await server.api<{ factories: [] }>("GET", "/factory?search=nobody")).factories).toEqual([]);
    expect((await ask(server, "GET", "/factory/nobody")).status).toBe(404);
  });

  test.each<[string, number, string, object]>([
    ["no prompt", 400, "prompt", {}],
    ["a ticket without a source", 400, "ticket_ref", { prompt: "p", ticket_ref: "123" }],
    ["a ticket that is nowhere", 400, "ticket_url", { prompt: "p", ticket_url: "nowhere" }],
  ])("refuses %s", async (_, status, field, body) => {
    const { server, story } = stage();
    const answer = await ask(server, "POST", `/factory/${(await story.factory()).uid}/runs`, { body });
    expect([answer.status, answer.body.field]).toEqual([status, field]);
  });
});

test("a request without a key cannot make the server hold a body", async () => {
  const { server } = stage();
  const answer = await server.fetch("/api/v1/agent/runs", {
    method: "POST",
    body: "x".repeat(32 * 1024 * 1024),
  });
  expect(answer.status).toBe(401);
});
