import { describe, expect, test } from "vitest";
import { reportingAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";

/** Leaves an answer and a file, and a link to what is not its own. */
const LEAVES_FILES = `
  import { mkdirSync, symlinkSync } from "node:fs";
  mkdirSync("artifacts/shots", { recursive: true });
  writeFileSync("artifacts/answer.md", "turn " + process.env.MILLRACE_TURN);
  writeFileSync("artifacts/shots/one.png", "png");
  if (process.env.MILLRACE_TURN === "1") symlinkSync("/etc/passwd", "artifacts/passwd");`;

async function reporting() {
  const { call, ...agent } = await reportingAgent({ program: LEAVES_FILES });
  return {
    ...agent,
    report: (what: "artifacts" | "blocked", body: object, key = agent.token, run = agent.id) =>
      call("POST", what, { body, key, run }),
  };
}

describe("an agent", () => {
  test("reports links and plans, each once, and leaves files; links to elsewhere are not taken", async () => {
    const { report, story, id, end, server } = await reporting();
    const request = {
      artifact_type: "PULL_REQUEST",
      data: { url: "https://example.com/pr/1", branch: "fix" },
    };
    const first = await report("artifacts", request);
    expect(first.status).toBe(201);
    expect((await report("artifacts", request)).body).toEqual(first.body);
    await report("artifacts", { artifact_type: "PLAN", data: { title: "The plan", content: "First this." } });
    end(0);
    const { artifacts = [] } = await story.ended(id);
    expect(
      artifacts.map(({ artifact_type, data }) => [artifact_type, data.title ?? data.url ?? data.filepath]),
    ).toEqual([
      ["PULL_REQUEST", "https://example.com/pr/1"],
      ["PLAN", "The plan"],
      ["FILE", "answer.md"],
      ["FILE", "shots/one.png"],
    ]);
    const [, , answer, shot] = artifacts;
    expect(shot?.data).toMatchObject({ mime_type: "image/png", size_bytes: 3 });
    const download = await ask(server, "GET", `/agent/artifacts/${answer?.data.artifact_uid}/download`);
    expect([download.status, download.body.text]).toEqual([200, "turn 1"]);
    const found = await ask(server, "GET", "/agent/runs?artifact_type=FILE");
    expect(found.body.runs).toHaveLength(1);
  });

  test("leaves what it has changed in a later turn in addition to what it left before", async () => {
    const { story, id, end, server } = await reporting();
    end(0);
    await story.ended(id);
    await server.api("POST", `/agent/runs/${id}/followups`, { message: "Again." });
    await waitFor(async () => ((await story.run(id)).artifacts ?? []).length > 2);
    const { artifacts = [] } = await story.ended(id);
    expect(artifacts.map(({ data }) => data.filepath)).toEqual(["answer.md", "shots/one.png", "answer.md"]);
  });

  test("asks a person, is answered, and is at work again", async () => {
    const { report, story, id, server } = await reporting();
    expect((await report("blocked", { message: "Which one?" })).body).toEqual({
      run_id: id,
      state: "BLOCKED",
    });
    expect(await story.run(id)).toMatchObject({
      state: "BLOCKED",
      status_message: { message: "Which one?" },
    });
    expect((await ask(server, "POST", `/agent/runs/${id}/cancel`)).status).toBe(400);
    await server.api("POST", `/agent/runs/${id}/followups`, { message: "This one." });
    const run = await story.run(id);
    expect([run.state, run.status_message]).toEqual(["INPROGRESS", undefined]);
  });

  test("that ends well while it asks leaves its run BLOCKED, and the answer begins the next turn", async () => {
    const { report, story, id, end, server } = await reporting();
    await report("blocked", { message: "Which one?" });
    end(0);
    await waitFor(async () => (await story.run(id)).is_sandbox_running === false);
    expect((await story.run(id)).state).toBe("BLOCKED");
    expect((await report("blocked", { message: "Anybody?" })).status).toBe(401);
    const answer = await server.api("POST", `/agent/runs/${id}/followups`, { message: "This one." });
    expect(answer).toMatchObject({ outcome: "handoff_execution" });
    expect((await story.ended(id)).state).toBe("SUCCEEDED");
  });

  test("that ends badly while it asks has failed", async () => {
    const { report, story, id, end } = await reporting();
    await report("blocked", { message: "Which one?" });
    end(7);
    expect(await story.ended(id)).toMatchObject({
      state: "FAILED",
      status_message: { message: "The agent exited with code 7." },
    });
  });
});

test("only the agent of a run reports for it, with what is a report", async () => {
  const { report, start } = await reporting();
  const another = await start();
  const link = { artifact_type: "EXTERNAL_REFERENCE", data: { url: "https://example.com" } };
  expect((await report("artifacts", link, ADMIN_KEY)).status).toBe(403);
  expect((await report("blocked", { message: "?" }, ADMIN_KEY)).status).toBe(403);
  expect((await report("artifacts", link, undefined, another)).status).toBe(404);
  for (const [body, field] of [
    [{ artifact_type: "FILE", data: {} }, "artifact_type"],
    [{ artifact_type: "PULL_REQUEST", data: {} }, "data.url"],
    [{ artifact_type: "PULL_REQUEST", data: { url: "javascript:alert(1)" } }, "data.url"],
    [{ artifact_type: "PLAN", data: { content: "x" } }, "data.title"],
  ] as const) {
    expect((await report("artifacts", body)).body).toMatchObject({ status: 400, field });
  }
  expect((await report("blocked", { message: " " })).status).toBe(400);
});

test("control characters are refused in every field of a report, and named", async () => {
  const { call } = await reportingAgent();
  const link = {
    url: "https://example.com/pr/1",
    title: "t",
    branch: "fix",
    reference_type: "pr",
    repository: "a/b",
  };
  const lines: [what: string, field: string, body: (text: string) => object][] = [
    ...(["title", "branch", "reference_type"] as const).map((field): (typeof lines)[number] => [
      "artifacts",
      `data.${field}`,
      (text) => ({ artifact_type: "EXTERNAL_REFERENCE", data: { ...link, [field]: text } }),
    ]),
    ["blocked", "choices[0]", (text) => ({ message: "m", choices: [text] })],
    ["artifact-files", "name", (text) => ({ name: text, data: "YQ==" })],
  ];
  const texts: typeof lines = [
    ["artifacts", "data.content", (text) => ({ artifact_type: "PLAN", data: { title: "t", content: text } })],
    ["blocked", "message", (text) => ({ message: text })],
    ["answer", "text", (text) => ({ text })],
    ["status", "text", (text) => ({ text })],
    ["note", "text", (text) => ({ text })],
  ];
  const method = (what: string) => (what === "note" ? "PUT" : "POST");
  for (const [what, field, body] of [...lines, ...texts])
    for (const [code, control] of [
      ["001B", "\u001b[2J"],
      ["0007", "\u0007"],
      ["007F", "\u007f"],
      ["009B", "\u009b2J"],
    ]) {
      const answer = await call(method(what), what, { body: body(`a${control}b`) });
      expect([what, field, answer.status, answer.body.detail]).toEqual([
        what,
        field,
        400,
        expect.stringContaining(`"${field}": expected text without control characters, found U+${code}`),
      ]);
    }
  for (const [what, field, body] of lines)
    expect([field, (await call("POST", what, { body: body("a\nb") })).status]).toEqual([field, 400]);
  for (const [what, field, body] of texts.toReversed())
    expect([what, field, (await call(method(what), what, { body: body("a\tb\r\nc") })).status]).toEqual([
      what,
      field,
      what === "artifacts" ? 201 : 200,
    ]);
});
