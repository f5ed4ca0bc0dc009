import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openPostgres } from "../../../src/store/postgres/open-postgres.ts";
import { connectPostgres } from "../../../src/store/postgres/postgres-client.ts";
import { onFinished } from "../../given/cleanup.ts";
import { cutLink } from "../../given/cut-link.ts";
import { aFactory } from "../../given/factory.ts";
import { freePort } from "../../given/port.ts";
import { aPostgresDatabase } from "../../given/postgres.ts";
import { waitFor } from "../../given/server.ts";
import { AT, aDelivery, aRun } from "../../given/store.ts";

/** A store as a server opens it, and what that hears. */
async function opened(url: string) {
  const lost: Error[] = [];
  const events = { onLost: (error: Error) => void lost.push(error), onCommit: () => {}, onFailure: () => {} };
  const store = await openPostgres(url, events);
  // One whose link was cut has nobody to say goodbye to.
  onFinished(() => Promise.race([store.close(), sleep(2_000)]));
  return { store, lost };
}

/** Ends connections of the store as an administrator would. */
async function terminate(url: string, name: string) {
  const client = await connectPostgres({ url, name: "administrator" });
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1",
    [`millrace ${name}`],
  );
  await client.end();
}

test("a second server is kept away while the first one has the database, and not after", async () => {
  const url = await aPostgresDatabase();
  const { store } = await opened(url);
  await expect(opened(url)).rejects.toThrow("Another millrace server uses this database.");
  const run = aRun();
  await store.runs.create(run, AT);
  await store.close();
  const next = await opened(url);
  expect((await next.store.runs.find(run.id))?.id).toBe(run.id);
});

test("a server whose session of the lock has ended hears that it is not the only one any more", async () => {
  const url = await aPostgresDatabase();
  const { lost } = await opened(url);
  await terminate(url, "server");
  await waitFor(() => lost.length > 0);
  expect(lost[0]?.message).toContain("has ended");
});

test("a server that PostgreSQL does not answer hears that it may not be the only one any more", async () => {
  const url = new URL(await aPostgresDatabase());
  const link = await cutLink(url.href);
  url.port = new URL(link.url).port;
  const { lost } = await opened(url.href);
  link.cut();
  await waitFor(() => lost.length > 0);
  expect(lost[0]?.message).toContain("PostgreSQL does not answer");
  link.mend();
});

test.each(["writer", "reader"])("a %s that was disconnected connects again", async (name) => {
  const url = await aPostgresDatabase();
  const { store } = await opened(url);
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
  const { store } = await opened(await aPostgresDatabase());
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
  const { store } = await opened(await aPostgresDatabase());
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
  const { store } = await opened(await aPostgresDatabase());
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
  await expect(opened(url.href)).rejects.toMatchObject({
    code: "service_unavailable",
    message: expect.stringContaining("ECONNREFUSED"),
    remedy: expect.stringContaining("MILLRACE_DATABASE_URL"),
  });
});
