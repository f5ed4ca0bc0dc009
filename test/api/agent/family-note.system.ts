import { expect, test } from "vitest";
import { MAX_NOTE } from "../../../src/runs/rules/agent-report.ts";
import { reportingAgent } from "../../given/agent.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";

test("a note is empty, then what was written, and says who wrote it when", async () => {
  const { call, id } = await reportingAgent();
  expect((await call("GET", "note")).body).toEqual({ text: "", updated_at: null, updated_by: null });
  await call("PUT", "note", { body: { text: "Known so far" } });
  const added = await call("PUT", "note", { body: { text: "and this", append: true } });
  expect(added.body).toMatchObject({ text: "Known so far\nand this", updated_by_run_id: id });
  expect((await call("GET", "note", { key: ADMIN_KEY })).body).toEqual(added.body);
  expect((await call("PUT", "note", { body: { text: "" } })).body.text).toBe("");
});

test("a change of another text than the one that was read is refused", async () => {
  const { call } = await reportingAgent();
  const put = (text: string, tag: string) =>
    call("PUT", "note", { body: { text }, headers: { "if-match": tag } });
  expect((await put("one", '"7"')).status).toBe(412);
  const first = await put("one", '"0"');
  expect(first.status).toBe(200);
  expect((await put("two", first.headers.get("etag") ?? "")).status).toBe(200);
  expect((await put("three", first.headers.get("etag") ?? "")).status).toBe(412);
  expect((await put("four", "*")).body.text).toBe("four");
});

test("of a text that grows too long the end stays", async () => {
  const { call } = await reportingAgent();
  await call("PUT", "note", { body: { text: "a".repeat(MAX_NOTE) } });
  const { body } = await call("PUT", "note", { body: { text: "b".repeat(100), append: true } });
  expect(body.text).toBe(`${"a".repeat(MAX_NOTE - 101)}\n${"b".repeat(100)}`);
  expect((await call("PUT", "note", { body: { text: "a".repeat(MAX_NOTE + 1) } })).status).toBe(400);
});

test("texts that are added at once are all there", async () => {
  const { call } = await reportingAgent();
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`);
  await Promise.all(lines.map((text) => call("PUT", "note", { body: { text, append: true } })));
  expect((await call("GET", "note")).body.text.split("\n").sort()).toEqual([...lines].sort());
});

test("only the agent at work writes it", async () => {
  const { call, story, id, start, end, token } = await reportingAgent();
  const body = { text: "x" };
  expect((await call("PUT", "note", { body, key: ADMIN_KEY })).status).toBe(403);
  const other = await start();
  expect((await call("PUT", "note", { body, run: other })).status).toBe(404);
  expect((await call("GET", "note", { run: other })).status).toBe(404);
  end(0);
  await story.ended(id);
  expect(await waitFor(async () => (await call("PUT", "note", { body, key: token })).status)).toBe(401);
});
