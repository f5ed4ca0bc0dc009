import { expect, test } from "vitest";
import { openConcurrentlyPostgres } from "../../../src/store/postgres/open-concurrently-postgres.ts";
import { connectPostgres } from "../../../src/store/postgres/postgres-client.ts";
import { STEPS } from "../../../src/store/schema/steps.ts";
import { onFinished } from "../../given/cleanup.ts";
import { aFactory } from "../../given/factory.ts";
import { aPostgresDatabase, asNewerVersion, openedPostgres, postgresClient } from "../../given/postgres.ts";
import { cutLink } from "../../given/proxies.ts";
import { waitFor } from "../../given/server.ts";
import { AT, aDelivery, aRun, LEASE } from "../../given/store.ts";

/** What this version knows. */
const LAST = STEPS.at(-1)?.name ?? "";
/** Steps of versions to come. */
const ADDS = { name: "900-adds", sql: "CREATE TABLE added (name TEXT)", serversMustKnow: LAST };
const REMOVES = { name: "910-removes", sql: "DROP TABLE added", serversMustKnow: ADDS.name };
const BREAKS = { name: "920-breaks", sql: "ALTER TABLE runs RENAME TO executions" };

test("a server goes on while every table gets another column", async () => {
  const url = await aPostgresDatabase();
  const { store } = await openedPostgres(url);
  const server = { uid: "s", name: "one", version: "1", startedAt: AT, isLeader: true, executing: 0 };
  const pause = { factoryUid: null, webhookUid: null, automationUid: null, name: null, reason: null };
  const creator = { uid: "ann", type: "user", displayName: "Ann" } as const;
  await store.factories.create({ ...aFactory("factory"), uid: "factory" });
  const askAll = async () => {
    await store.servers.keepSeen({ ...server, seenAt: AT, concurrency: 1 }, AT);
    await store.pauses.create({ ...pause, id: "pause", createdBy: creator, createdAt: AT });
    const read = [await store.factories.list(), await store.servers.list(), await store.pauses.list()];
    expect(read.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(await store.pauses.end("pause", AT)).toBe(true);
    expect(await store.workers.listProcesses()).toEqual([]);
    const run = aRun();
    const { outcome } = await store.deliveries.record(aDelivery({ runs: [run] }));
    expect([outcome, (await store.runs.find(run.id))?.id]).toEqual(["Accepted", run.id]);
    expect(await store.runs.claim(1, LEASE, AT)).toHaveLength(1);
  };
  await askAll();
  const client = await postgresClient(url);
  await client.query(
    `DO $$ DECLARE each TEXT; BEGIN
       FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
         EXECUTE format('ALTER TABLE %I ADD COLUMN of_a_newer_version TEXT', each);
       END LOOP; END $$`,
  );
  // Each reader has planned its statements already.
  for (let n = 0; n < 5; n += 1) await askAll();
});

test("a server starts on a database that a newer version has only added to, next to others and to commands", async () => {
  const url = await aPostgresDatabase();
  const { store: running } = await openedPostgres(url);
  await asNewerVersion(url, [ADDS]);
  const { store } = await openedPostgres(url);
  const beside = await openConcurrentlyPostgres(url);
  onFinished(beside.close);
  const run = aRun();
  await running.runs.create(run, AT);
  expect((await store.runs.find(run.id))?.id).toBe(run.id);
  expect(await beside.read(({ runs }) => runs.find(run.id))).toMatchObject({ id: run.id });
});

test("a server does not start on a database from which a newer version has removed what it uses, and says why", async () => {
  const url = await aPostgresDatabase();
  await asNewerVersion(url, [ADDS, REMOVES]);
  const refusal = {
    code: "service_unavailable",
    message:
      'The database was migrated by a newer version of millrace: its migration "910-removes" requires servers that know "900-adds", and this version does not.',
    remedy:
      "Start the newer version again. To go back to this version, stop all servers and restore a backup made before the upgrade.",
  };
  await expect(openedPostgres(url)).rejects.toMatchObject(refusal);
  await expect(openConcurrentlyPostgres(url)).rejects.toMatchObject(refusal);
});

test("a server does not start on a database with a migration that says nothing of older servers", async () => {
  const url = await aPostgresDatabase();
  await asNewerVersion(url, [BREAKS]);
  await expect(openedPostgres(url)).rejects.toThrow(
    'it has the migration "920-breaks", which this version does not know.',
  );
});

test("a migration that a running server could not go on with is applied when that has stopped, and not before", async () => {
  const url = await aPostgresDatabase();
  const { store } = await openedPostgres(url);
  await asNewerVersion(url, [ADDS]);
  await expect(asNewerVersion(url, [ADDS, REMOVES])).rejects.toMatchObject({
    code: "service_unavailable",
    message:
      'The migration "910-removes" cannot be applied while a server with an older version is running: that server does not know "900-adds".',
    remedy: expect.stringContaining("stop all of them"),
  });
  await expect(asNewerVersion(url, [ADDS, BREAKS])).rejects.toThrow("920-breaks");
  await store.runs.create(aRun(), AT);
  await store.close();
  await asNewerVersion(url, [ADDS, REMOVES, BREAKS]);
});

test("a server that was cut off while a newer version took the database over writes no more", async () => {
  const direct = await aPostgresDatabase();
  const link = await cutLink(direct);
  const url = new URL(direct);
  url.port = new URL(link.url).port;
  const { lost } = await openedPostgres(url.href);
  link.cut();
  await waitFor(() =>
    asNewerVersion(direct, [BREAKS]).then(
      () => true,
      () => false,
    ),
  );
  expect(lost).toEqual([]);
  link.mend();
  await waitFor(() => lost.length > 0);
  expect(lost[0]).toContain('it has the migration "920-breaks"');
});

test("a migration that has to wait for a backup keeps no server waiting for longer than a moment", async () => {
  const url = await aPostgresDatabase();
  const { store } = await openedPostgres(url);
  const backup = await connectPostgres({
    url,
    name: "backup",
    settings: { idle_in_transaction_session_timeout: "0" },
  });
  await backup.query("BEGIN");
  await backup.query("LOCK TABLE runs IN ACCESS SHARE MODE");
  let isDone = false;
  const migrating = asNewerVersion(url, [
    { name: "900-adds", sql: "ALTER TABLE runs ADD COLUMN added TEXT", serversMustKnow: LAST },
  ]).then(() => {
    isDone = true;
  });
  // More than one of its attempts.
  const until = Date.now() + 4_000;
  while (Date.now() < until) {
    const run = aRun();
    await store.runs.create(run, AT);
    expect((await store.runs.find(run.id))?.id).toBe(run.id);
  }
  expect(isDone).toBe(false);
  await backup.query("COMMIT");
  await backup.end();
  await migrating;
  await store.runs.create(aRun(), AT);
});
