import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { connectPostgres } from "../../../src/store/postgres/postgres-client.ts";
import { aFactory } from "../../given/factory.ts";
import { freePort } from "../../given/port.ts";
import { aPostgresDatabase, openedPostgres, terminate } from "../../given/postgres.ts";
import { cutLink } from "../../given/proxies.ts";
import { waitFor } from "../../given/server.ts";
import { AT, aDelivery, aRun, LEASE } from "../../given/store.ts";

const EVERY_RUN = { filter: {}, sort: "created_at", descending: true, limit: 10 } as const;

test("a connection that gets no answer is given up soon enough to ask for another one", async () => {
  const direct = await aPostgresDatabase();
  const link = await cutLink(direct);
  const url = new URL(direct);
  url.port = new URL(link.url).port;
  link.cut();
  const given = connectPostgres({ url: url.href, name: "server" }).catch((error: Error) => error.message);
  const first = await Promise.race([given, sleep(4_500).then(() => "it still waits")]);
  expect(first).toContain("timeout expired");
});

test("PostgreSQL tries connections that are silent, and lets go of those of a server that has vanished", async () => {
  const client = await connectPostgres({ url: await aPostgresDatabase(), name: "reader" });
  const { rows } = await client.query("SELECT current_setting('tcp_keepalives_idle') AS idle");
  await client.end();
  expect(rows).toEqual([{ idle: "5" }]);
});

test("a server hears what others commit, and neither its own commits nor looks that find nothing", async () => {
  const url = await aPostgresDatabase();
  const a = await openedPostgres(url);
  const b = await openedPostgres(url);
  await sleep(500);
  a.heard.length = 0;
  b.heard.length = 0;
  const { id } = await a.store.runs.create(aRun(), AT);
  await waitFor(() => b.heard.length > 0);
  await sleep(500);
  expect(a.heard).toEqual([]);
  expect(b.heard).toEqual([false]);
  await a.store.runs.cancel(id, AT);
  await waitFor(() => b.heard.length > 1);
  expect(b.heard.at(-1)).toBe(true);
  // The list of runs is updated after commits, and shares its transaction with what comes then.
  await sleep(1_000);
  const heard = b.heard.length;
  await a.store.runs.claim(1, LEASE, AT);
  await sleep(500);
  expect(b.heard).toHaveLength(heard);
});

test("what one server has committed is in the lists of another", async () => {
  const url = await aPostgresDatabase();
  const [a, b] = [await openedPostgres(url), await openedPostgres(url)];
  const { id } = await a.store.runs.create(aRun(), AT);
  await waitFor(async () => {
    const { runs } = await b.store.runs.list(EVERY_RUN);
    return runs.some((run) => run.id === id);
  });
});

test("what an agent has written is stored although the connection was terminated meanwhile", async () => {
  const url = await aPostgresDatabase();
  const { store } = await openedPostgres(url);
  const run = aRun();
  await store.runs.create(run, AT);
  const other = await connectPostgres({ url, name: "administrator" });
  await other.query("BEGIN");
  await other.query("LOCK TABLE run_output");
  const chunk = { seq: 1, turn: 1, stream: "stdout", at: AT, bytes: Buffer.from("written") } as const;
  const stored = store.transcripts.append(run.id, [chunk]);
  await sleep(300);
  await terminate(url, "transcripts");
  await other.query("COMMIT");
  await other.end();
  await stored;
  expect(await store.transcripts.findSize(run.id)).toBe(7);
});

test("a database that only reads, such as a standby before it is promoted, is unavailable until it writes", async () => {
  const url = await aPostgresDatabase();
  const { store } = await openedPostgres(url);
  const administrator = await connectPostgres({ url, name: "administrator" });
  const readsOnly = (is: string) =>
    administrator.query(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = ${is}`,
    );
  await readsOnly("on");
  await terminate(url, "writer");
  await waitFor(() =>
    store.runs.create(aRun(), AT).then(
      () => false,
      (error) => /read-only|unavailable/.test(String(error)),
    ),
  );
  await sleep(500);
  await expect(store.runs.create(aRun(), AT)).rejects.toMatchObject({ code: "service_unavailable" });
  await readsOnly("off");
  await administrator.end();
  await terminate(url, "writer");
  await waitFor(() =>
    store.runs.create(aRun(), AT).then(
      () => true,
      () => false,
    ),
  );
});

test("the clock of servers is that of their database", async () => {
  const url = await aPostgresDatabase();
  const { store } = await openedPostgres(url);
  const client = await connectPostgres({ url, name: "administrator" });
  const { rows } = await client.query<{ ms: number }>(
    "SELECT EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS ms",
  );
  await client.end();
  expect(Math.abs(store.session.now().getTime() - Number(rows[0]?.ms))).toBeLessThan(1_000);
});

test.each(["writer", "reader"])("a %s that was disconnected connects again", async (name) => {
  const url = await aPostgresDatabase();
  const { store } = await openedPostgres(url);
  await store.runs.create(aRun(), AT);
  await terminate(url, name);
  const run = aRun();
  // What was under way may have failed; what comes after does not.
  await waitFor(() =>
    store.runs.create(run, AT).then(
      () => true,
      () => undefined,
    ),
  );
  await waitFor(async () => (await store.runs.find(run.id).catch(() => undefined))?.id === run.id);
});

test("calls that come together are committed together, and one that fails fails alone", async () => {
  const { store } = await openedPostgres(await aPostgresDatabase());
  const [first, second] = [aRun(), aRun()];
  const results = await Promise.allSettled([
    store.runs.create(first, AT),
    store.runs.create(first, AT),
    store.runs.create(second, AT),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await store.runs.find(second.id))?.id).toBe(second.id);
});

test("of many deliveries with one identity that come together, one is accepted, and the others are its duplicates", async () => {
  const { store } = await openedPostgres(await aPostgresDatabase());
  await store.factories.create({ ...aFactory("factory"), uid: "factory" });
  const identityKey = Buffer.from("one");
  const others = Array.from({ length: 20 }, () => store.deliveries.record(aDelivery({ runs: [aRun()] })));
  const same = Array.from({ length: 40 }, () => store.deliveries.record(aDelivery({ identityKey })));
  const outcomes = (await Promise.all(same)).map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === "Accepted")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === "Duplicate")).toHaveLength(39);
  expect((await Promise.all(others)).every(({ outcome }) => outcome === "Accepted")).toBe(true);
});

test("a delivery that cannot be stored fails alone, with those that came together with it stored", async () => {
  const { store } = await openedPostgres(await aPostgresDatabase());
  await store.factories.create({ ...aFactory("factory"), uid: "factory" });
  const run = aRun();
  const deliveries = [[], [run, run], [aRun()]].map((runs) => aDelivery({ runs }));
  const results = await Promise.allSettled(deliveries.map((delivery) => store.deliveries.record(delivery)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const found = await Promise.all(deliveries.map(({ id }) => store.deliveries.find(id)));
  expect(found.map((delivery) => delivery !== undefined)).toEqual([true, false, true]);
});

test("a database that cannot be reached is named as the reason, with what to check", async () => {
  const url = new URL(await aPostgresDatabase());
  url.port = String(await freePort());
  await expect(openedPostgres(url.href)).rejects.toMatchObject({
    code: "service_unavailable",
    message: expect.stringContaining("ECONNREFUSED"),
    remedy: expect.stringContaining("MILLRACE_DATABASE_URL"),
  });
});
