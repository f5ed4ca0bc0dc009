import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { serving } from "../../given/serving.ts";

const stage = sharedByFile(() => serving(FACTORY, {}));

test("an attachment of megabytes is accepted, and one that is not base64 is refused at any size", async () => {
  const { server } = stage();
  const create = (data: string) =>
    ask(server, "POST", "/agent/runs", {
      body: { prompt: "p", attachments: [{ file_name: "a.bin", mime_type: "a/b", data }] },
    });
  expect((await create(Buffer.alloc(9 * 1024 * 1024).toString("base64"))).status).toBe(200);
  const wrong = await create("A".repeat(8_000_001));
  expect([wrong.status, wrong.body.field]).toEqual([400, "attachments[0].data"]);
});

test("of very many mistakes only some are reported", async () => {
  const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, 1]));
  const answer = await ask<{ errors: unknown[] }>(stage().server, "POST", "/agent/runs", { body });
  expect([answer.status, answer.body.errors.length]).toEqual([400, 50]);
  const huge = `{${Array.from({ length: 300_000 }, (_, n) => `"${n}":1`).join(",")}}`;
  const refused = await ask(stage().server, "POST", "/agent/runs", { raw: huge });
  expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining("150000 values")]);
});

test("messages to a run are accepted until they are longer than a prompt can be", async () => {
  // At work for as long as the test goes on: what a turn has been given makes room again.
  const { server, start } = await serverWithAgent("setInterval(() => {}, 1_000)");
  const run_id = await start();
  const statuses: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const body = { message: "x".repeat(1024 * 1024) };
    statuses.push((await ask(server, "POST", `/agent/runs/${run_id}/followups`, { body })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 413]);
});

test("a stream ends when the key that opened it is revoked", async () => {
  const { server } = stage();
  const { id, key } = await server.api<{ id: string; key: string }>("POST", "/api-keys", { name: "short" });
  const stream = await server.fetch("/api/v1/events", { headers: { authorization: `Bearer ${key}` } });
  await server.api("DELETE", `/api-keys/${id}`);
  expect(await stream.text()).toContain(": connected");
});
