import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { ADMIN_KEY } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const TOKEN = "the-token";

/** No file may grow beyond this, as on a full disk; the signal that would end the process is ignored. */
const FULL_AFTER_KB = 3_000;
const REFUSED_IN_A_ROW = 5;
const withFullDisk = ["bash", "-c", `trap '' XFSZ; ulimit -f ${FULL_AFTER_KB}; exec "$@"`, "bash"];

test("on a full disk senders are asked to retry, and the log holds what was answered with 202 and no more", async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"], { go: [true] }),
  };
  const { server, story } = await serving(
    files,
    { CI_SECRET: TOKEN },
    { wrapper: withFullDisk, env: { MILLRACE_DELIVERIES_PER_MINUTE: "100000" } },
  );
  const { url, uid } = await story.webhook("ci");
  const filler = "x".repeat(250_000);

  const accepted: string[] = [];
  // What a commit has no room for depends on what else is in it: only when no delivery fits any more, none does.
  let refused: Response[] = [];
  for (let n = 0; n < 60 && refused.length < REFUSED_IN_A_ROW; n += 1) {
    const answer = await story.deliver(url, TOKEN, JSON.stringify({ go: true, n, filler }));
    if (answer.status !== 202) refused.push(answer);
    else {
      accepted.push(((await answer.json()) as { delivery_id: string }).delivery_id);
      refused = [];
    }
  }

  expect(refused).toHaveLength(REFUSED_IN_A_ROW);
  for (const answer of refused) {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ title: "The service is unavailable", retryable: true });
  }
  expect((await server.fetch("/readyz")).status).toBe(503);
  const readable = await server.fetch("/api/v1/factories", {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  });
  expect(readable.status).toBe(200);
  const logged = await story.deliveries(uid);
  expect(logged.map(({ delivery_id }) => delivery_id).sort()).toEqual([...accepted].sort());
  for (const { run_ids } of logged) expect(run_ids).toHaveLength(1);
  expect(server.log()).toMatch(/"level":"(error|warn)".*store/);
});

test("while another program has locked the database, senders are asked to retry, in words that do not mention the database", async () => {
  const { server, story } = await serving(
    { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK },
    { CI_SECRET: TOKEN },
  );
  const { url, uid } = await story.webhook("ci");
  const database = openSqlite(join(server.dataDir, "millrace.db"));
  onTestFinished(() => database.close());
  database.begin();
  const answer = await story.deliver(url, TOKEN, "{}");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await answer.text()).not.toMatch(/sqlite|database|locked/i);
  expect(server.log()).toContain("database is locked");
  database.rollback();
  expect(await story.accept(url, TOKEN, "{}")).toMatch(/^[0-9a-f-]{36}$/);
  expect(await story.deliveries(uid)).toHaveLength(1);
});

test("one row that the database refuses costs its own delivery the 202, and no other of the same batch", async () => {
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };
  const { server, story } = await serving(files, { CI_SECRET: TOKEN });
  const { url, uid } = await story.webhook("ci");
  const database = openSqlite(join(server.dataDir, "millrace.db"));
  onTestFinished(() => database.close());
  database.execute(`CREATE TRIGGER poison BEFORE INSERT ON deliveries WHEN NEW.identity_value = 'poison'
                    BEGIN SELECT RAISE(ABORT, 'this row cannot be written'); END`);
  const ids = Array.from({ length: 30 }, (_, n) => (n === 15 ? "poison" : `fine-${n}`));
  const answers = await Promise.all(
    ids.map((id) => story.deliver(url, TOKEN, "{}", { "x-service-delivery-id": id })),
  );
  expect(answers.map(({ status }) => status)).toEqual(ids.map((id) => (id === "poison" ? 500 : 202)));
  expect(await story.deliveries(uid)).toHaveLength(29);
  expect(server.log()).toContain("this row cannot be written");
});
