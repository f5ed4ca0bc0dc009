import { expect, test } from "vitest";
import { openPostgres } from "../../../src/store/postgres/open-postgres.ts";
import { connectPostgres } from "../../../src/store/postgres/postgres-client.ts";
import { onFinished } from "../../given/cleanup.ts";
import { aFactory } from "../../given/factory.ts";
import { aPostgresDatabase } from "../../given/postgres.ts";
import { AT, aDelivery, aRun, LEASE } from "../../given/store.ts";

/** A store as a server opens it. */
async function opened(url: string) {
  const store = await openPostgres(url, {
    onLost: () => {},
    onCommit: () => {},
    onFailure: () => {},
    onOthers: () => {},
  });
  onFinished(store.close);
  return store;
}

async function asAdministrator(url: string, ...statements: string[]): Promise<void> {
  const client = await connectPostgres({ url, name: "administrator" });
  for (const statement of statements) await client.query(statement);
  await client.end();
}

test("a server goes on while every table gets another column", async () => {
  const url = await aPostgresDatabase();
  const store = await opened(url);
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
  await asAdministrator(
    url,
    `DO $$ DECLARE each TEXT; BEGIN
       FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
         EXECUTE format('ALTER TABLE %I ADD COLUMN of_a_newer_version TEXT', each);
       END LOOP; END $$`,
  );
  // Each reader has planned its statements already.
  for (let n = 0; n < 5; n += 1) await askAll();
});
