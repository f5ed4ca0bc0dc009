import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { acmeServer, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { serveManaged } from "../../given/managed.ts";
import { isRunning } from "../../given/processes.ts";
import { silentHost } from "../../given/raw-http.ts";
import { ADMIN_KEY, run, startServer, waitFor } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

/** An agent with a child, both deaf to a polite end, that says who they are. */
const deafAgent = (folder: string) => `
  import { spawn } from "node:child_process";
  import { writeFileSync } from "node:fs";
  process.on("SIGTERM", () => console.log("heard"));
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ["-e", deaf], { stdio: "inherit" });
  writeFileSync(${JSON.stringify(join(folder, "pids"))}, process.pid + " " + child.pid);
  console.log("at work");
  setInterval(() => {}, 1000);`;

describe("a cancelled run", () => {
  test("that waits ends immediately, and never starts", async () => {
    const { server, story, start } = await serverWithAgent("setInterval(() => {}, 1000)", {
      env: { MILLRACE_RUN_CONCURRENCY: "1" },
    });
    const working = await start();
    const waiting = await start();
    expect(await server.api("POST", `/agent/runs/${waiting}/cancel`)).toBe(waiting);
    const run = await story.run(waiting);
    expect(run).toMatchObject({ state: "CANCELLED", started_at: null, finished_at: expect.any(String) });
    const { events } = await server.api<{ events: { event_type: string }[] }>(
      "GET",
      `/agent/runs/${waiting}/timeline`,
    );
    expect(events.map(({ event_type }) => event_type)).toEqual(["oz_run_created", "oz_run_cancelled"]);
    await server.api("POST", `/agent/runs/${working}/cancel`);
    expect((await story.ended(working)).state).toBe("CANCELLED");
  });

  test("that works ends when no process of its agent is left, and keeps what was written", async () => {
    const folder = temporaryFolder();
    const { server, story, start } = await serverWithAgent(deafAgent(folder));
    const id = await start();
    await waitFor(() => existsSync(join(folder, "pids")));
    const pids = await waitFor(() => {
      const numbers = readFileSync(join(folder, "pids"), "utf8").split(" ").map(Number);
      return numbers.length === 2 ? numbers : undefined;
    });
    expect(await server.api("POST", `/agent/runs/${id}/cancel`)).toBe(id);
    // Asked once more while it ends: the same answer.
    expect(await server.api("POST", `/agent/runs/${id}/cancel`)).toBe(id);
    const run = await story.ended(id);
    expect(run.state).toBe("CANCELLED");
    expect(run.status_message).toBeUndefined();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(await story.transcript(id)).toContain("at work");
  });

  test("ends after a crash too, however far it had come", async () => {
    const folder = temporaryFolder();
    const before = await serverWithAgent(deafAgent(folder), { sharesProcess: false });
    const { server, start } = before;
    const id = await start();
    await waitFor(() => existsSync(join(folder, "pids")));
    await server.api("POST", `/agent/runs/${id}/cancel`);
    await server.kill();
    const again = await serverWithAgent("", { before });
    expect((await again.story.ended(id)).state).toBe("CANCELLED");
    expect(readFileSync(join(folder, "pids"), "utf8").split(" ").map(Number).filter(isRunning)).toEqual([]);
  });
});

describe("the answer to a cancel", () => {
  test("is a bare id, whatever the empty body is said to be", async () => {
    const { server, start } = await serverWithAgent("setInterval(() => {}, 1000)");
    const id = await start();
    const headers = { "content-type": "application/json" };
    const answer = await ask(server, "POST", `/agent/runs/${id}/cancel`, { headers, raw: "" });
    expect([answer.status, answer.headers.get("content-type"), answer.body.text]).toEqual([
      200,
      expect.stringContaining("application/json"),
      JSON.stringify(id),
    ]);
  });

  test("is a refusal for a run that has ended, does not exist, or belongs to another", async () => {
    const { server, story, start } = await serverWithAgent("");
    const id = await start();
    await story.ended(id);
    const ended = await ask(server, "POST", `/agent/runs/${id}/cancel`);
    expect([ended.status, ended.body.detail]).toEqual([400, expect.stringContaining("SUCCEEDED")]);
    const unknown = "01a1fe22-6744-70ce-94a0-348515e54587";
    expect((await ask(server, "POST", `/agent/runs/${unknown}/cancel`)).status).toBe(404);
    expect((await ask(server, "POST", "/agent/runs/x/cancel")).status).toBe(400);
  });
});

/** One server for the tests that change nothing that others look at. */
const shared = sharedByFile(() => acmeServer());

describe("the rest of the outside", () => {
  test("health is told to anybody, readiness as soon as the first attempt at each source has ended", async () => {
    const host = await silentHost();
    const server = await startServer({ sources: [`${host.url}/acme.git`] });
    expect((await server.fetch("/healthz")).status).toBe(200);
    const ready = await server.fetch("/readyz");
    expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "5"]);
    host.hangUp();
    await waitFor(async () => (await server.fetch("/readyz")).status === 200);
    expect((await storyOf(server).factory()).sync.status).toBe("failed");
  });

  test.each([
    ["a fresh server whose factory it keeps itself", []],
    ["one whose folder holds no definition yet", [{ "README.md": "nothing yet" }]],
  ])("%s is ready", async (_, folders) => {
    const server = await startServer({ sources: folders.map((files) => folderWith(files)) });
    await waitFor(async () => (await server.fetch("/readyz")).status === 200);
  });

  test("the API describes itself, with the names that the public API gives its models", async () => {
    const server = shared();
    const document = (await (await server.fetch("/api/v1/openapi.json")).json()) as {
      openapi: string;
      components: { schemas: object };
    };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        "RunItem",
        "RunState",
        "RunAgentRequest",
        "RunAgentResponse",
        "ListRunsResponse",
        "PageInfo",
        "RunStatusMessage",
        "RunCreatorInfo",
        "RunSourceType",
        "AmbientAgentConfig",
        "MCPServerConfig",
        "Error",
      ]),
    );
  });

  test("what an outsider has made is never shown as a page", async () => {
    const server = shared();
    const data = Buffer.from("<script>alert(1)</script>").toString("base64");
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
      prompt: "x",
      attachments: [{ file_name: "a.html", mime_type: "text/html", data }],
    });
    const answer = await server.fetch(`/api/v1/agent/runs/${run_id}/attachments/a.html`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    });
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

/** A run of the factory "old" that has ended, before and after that factory is deleted. */
async function endedRun() {
  const { server } = await serveManaged({ agent: "true" });
  await server.api("POST", "/factories", { name: "old" });
  const { run_id: id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
    prompt: "Go.",
    factory: "old",
  });
  await storyOf(server).ended(id);
  return { server, id };
}

const WORDS = (id: string) => `Run ${id} belongs to a deleted factory, so it cannot start another turn.`;
const REMEDY = "Create a new run in another factory with `millrace runs create --factory NAME`.";

test("a message to an ended run of a deleted factory is refused, and says why", async () => {
  const { server, id } = await endedRun();
  const tell = (path: string, body: object, headers = {}) => ask(server, "POST", path, { body, headers });
  const said = await tell(`/agent/runs/${id}/followups`, { message: "Again." }, { "idempotency-key": "one" });
  expect(said.status).toBe(200);
  await storyOf(server).ended(id);
  await server.api("DELETE", "/factories/old");
  for (const [path, body] of [
    [`/agent/runs/${id}/followups`, { message: "Once more." }],
    [`/agent/conversations/${id}/followups`, { message: "Once more." }],
    ["/agent/runs", { prompt: "Once more.", conversation_id: id }],
  ] as const) {
    const refused = await tell(path, body);
    expect([refused.status, refused.body], path).toEqual([
      409,
      expect.objectContaining({ detail: WORDS(id), remedy: REMEDY, retryable: false }),
    ]);
  }
  expect((await storyOf(server).run(id)).state).toBe("SUCCEEDED");
  const repeated = await tell(
    `/agent/runs/${id}/followups`,
    { message: "Again." },
    { "idempotency-key": "one" },
  );
  expect([repeated.status, repeated.body]).toEqual([200, said.body]);
});

test("the command line says it in the same words", async () => {
  const { server, id } = await endedRun();
  await server.api("DELETE", "/factories/old");
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { code, said } = await run(["runs", "followup", id, "Once more."], env);
  expect([code, said]).toEqual([6, expect.stringContaining(WORDS(id))]);
  expect(said).toContain(REMEDY);
});
