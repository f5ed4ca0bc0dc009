import { describe, expect, test } from "vitest";
import { openPostgres } from "../../../src/store/postgres/open-postgres.ts";
import { connectPostgres } from "../../../src/store/postgres/postgres-client.ts";
import { onFinished } from "../../given/cleanup.ts";
import { hasPgbouncer, throughPgbouncer } from "../../given/pgbouncer.ts";
import { aPostgresDatabase } from "../../given/postgres.ts";
import { waitFor } from "../../given/server.ts";
import { AT, aRun } from "../../given/store.ts";

const EVENTS = { onLost() {}, onCommit() {}, onFailure() {}, onOthers() {} };

async function opened(url: string) {
  const store = await openPostgres(url, EVENTS);
  onFinished(() => store.close());
  return store;
}

async function connected(url: string, settings?: Record<string, string>) {
  const client = await connectPostgres({ url, name: "tests", ...(settings ? { settings } : {}) });
  onFinished(() => client.end());
  return client;
}

if (!hasPgbouncer) test("PgBouncer is not installed", ({ skip }) => skip("apt-get install pgbouncer"));

describe.runIf(hasPgbouncer)("behind PgBouncer in session mode", () => {
  const pooled = async () => throughPgbouncer(await aPostgresDatabase(), { pool_mode: "session" });

  test("a server stores and finds, and what it has stored is there for the next one", async () => {
    const url = await pooled();
    const store = await opened(url);
    const run = aRun();
    await store.runs.create(run, AT);
    expect((await store.runs.find(run.id))?.id).toBe(run.id);
    await store.close();
    expect((await (await opened(url)).runs.find(run.id))?.id).toBe(run.id);
  });

  test("a lock belongs to a connection until it ends", async () => {
    const url = await pooled();
    const [first, second] = [await connected(url), await connected(url)];
    const locks = async (client: typeof first) =>
      (await client.query("SELECT pg_try_advisory_lock(1) AS held")).rows[0].held;
    expect([await locks(first), await locks(second)]).toEqual([1, 0]);
    await first.end();
    await waitFor(async () => (await locks(second)) === 1);
  });

  test("a connection has its settings, and the next one on the same session has its own", async () => {
    const url = await pooled();
    const settingsOf = async (settings?: Record<string, string>) => {
      const client = await connectPostgres({ url, name: "tests", ...(settings ? { settings } : {}) });
      const { rows } = await client.query(
        "SELECT current_setting('synchronous_commit') AS commit, current_setting('idle_in_transaction_session_timeout') AS idle",
      );
      await client.end();
      return rows[0];
    };
    const ofCluster = await settingsOf();
    expect(await settingsOf({ synchronous_commit: "local" })).toEqual({ commit: "local", idle: "3s" });
    expect(await settingsOf()).toEqual(ofCluster);
  });

  test("a connection hears what another one notifies", async () => {
    const url = await pooled();
    const [listener, sender] = [await connected(url), await connected(url)];
    const heard: (string | undefined)[] = [];
    listener.on("notification", ({ payload }) => heard.push(payload));
    await listener.query("LISTEN news");
    await sender.query("NOTIFY news, 'one'");
    await waitFor(() => heard.length > 0);
    expect(heard).toEqual(["one"]);
  });

  test("too few connections are named as the reason", async () => {
    const url = await throughPgbouncer(await aPostgresDatabase(), {
      pool_mode: "session",
      default_pool_size: 1,
    });
    await expect(connected(`${url}?connect_timeout=1`)).rejects.toMatchObject({
      message: expect.stringContaining("no query was answered"),
      remedy: expect.stringContaining("too few connections"),
    });
  });
});

describe.runIf(hasPgbouncer)("a server is refused behind PgBouncer", () => {
  test.each<[string, Record<string, string | number>]>([
    ["in transaction mode", { pool_mode: "transaction" }],
    ["in transaction mode with one connection", { pool_mode: "transaction", default_pool_size: 1 }],
    ["in transaction mode with connections in turn", { pool_mode: "transaction", server_round_robin: 1 }],
    [
      "in transaction mode with sessions that are reset",
      { pool_mode: "transaction", server_reset_query_always: 1 },
    ],
    ["in statement mode", { pool_mode: "statement" }],
    ["in session mode without a reset", { pool_mode: "session", server_reset_query: "" }],
  ])("%s", async (_, settings) => {
    const url = await throughPgbouncer(await aPostgresDatabase(), settings);
    await expect(opened(url)).rejects.toMatchObject({
      code: "service_unavailable",
      message: expect.stringContaining("shares sessions between connections"),
      remedy: expect.stringContaining("pool_mode = session"),
    });
  });

  test("also where other clients use it at the same time", async () => {
    const url = await throughPgbouncer(await aPostgresDatabase(), { pool_mode: "transaction" });
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => connected(url)));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  });
});

test("a connection to PostgreSQL itself is not taken for a pooled one", async () => {
  const client = await connected(await aPostgresDatabase());
  const { rows } = await client.query(
    "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name LIKE '%proof%'",
  );
  expect(rows[0].n).toBe(0);
});
