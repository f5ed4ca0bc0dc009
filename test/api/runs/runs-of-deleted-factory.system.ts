import { expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { serveManaged } from "../../given/managed.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

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
