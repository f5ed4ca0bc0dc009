import { expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import type { PullRequestEvent } from "../../../src/insight/pull-request.ts";
import { acceptDeliveries } from "../../../src/store/postgres/accept-deliveries.ts";
import { openPostgres } from "../../../src/store/postgres/open-postgres.ts";
import { connectPostgres } from "../../../src/store/postgres/postgres-client.ts";
import { postgresConnection } from "../../../src/store/postgres/postgres-connection.ts";
import { onFinished } from "../../given/cleanup.ts";
import { aFactory } from "../../given/factory.ts";
import { aPostgresDatabase } from "../../given/postgres.ts";
import { AT, aDelivery, aRun } from "../../given/store.ts";

const FACTORY = "factory";
const EVENTS = { onCommit() {}, onLost() {}, onFailure() {}, onOthers() {} };

/** A store with a factory, as a server opens it, and a look into its tables. */
async function anOpenStore() {
  const url = await aPostgresDatabase();
  const store = await openPostgres(url, EVENTS);
  onFinished(store.close);
  await store.factories.create({ ...aFactory(FACTORY), uid: FACTORY });
  const client = await connectPostgres({ url, name: "tests" });
  onFinished(() => client.end());
  const rows = async (sql: string) => (await client.query(sql)).rows;
  const connection = postgresConnection(client);
  const deliver = (...deliveries: ReturnType<typeof aDelivery>[]) =>
    Promise.all(deliveries.map((delivery) => store.deliveries.record(delivery)));
  return { store, connection, rows, deliver };
}

function aStartedRun(content?: Uint8Array) {
  const kind = content ? { content } : { deliveryBody: true as const };
  return aRun({
    factoryUid: FACTORY,
    source: "CUSTOM_WEBHOOK",
    attachments: [{ name: "event-payload.json", mimeType: "application/json", ...kind }],
  });
}

const accepted = (deliveries: readonly { id: string }[]) =>
  deliveries.map(({ id }) => ({ outcome: "Accepted", deliveryId: id }));

const told = (title: string): PullRequestEvent => ({
  ...{ url: "https://github.com/acme/app/pull/1", provider: "github", repository: "acme/app", number: 1 },
  snapshot: {
    ...{ title, author: "ann", state: "open", openedAt: AT, mergedAt: null, closedAt: null, updatedAt: AT },
    ...{ additions: 1, deletions: 0, changedFiles: 1, commits: 1 },
  },
  act: null,
  withdrawal: null,
});

test("deliveries that are new take one statement, with their runs and what they tell of pull requests", async () => {
  const { store, connection, rows } = await anOpenStore();
  const pullRequest = { repository: "acme/app", number: 1, author: "ann" };
  const deliveries = [
    aDelivery(),
    aDelivery({
      pullRequest,
      pullRequestEvent: told('The "first" \\ and 中'),
      runs: [aStartedRun(), aStartedRun(Buffer.from("content"))],
    }),
    aDelivery({ pullRequest: { ...pullRequest, author: "Ann" }, pullRequestEvent: told("The second") }),
  ];
  const calls = deliveries.map((delivery) => ({
    port: "deliveries" as const,
    method: "record",
    args: [delivery],
  }));

  const outcomes = await acceptDeliveries(connection, calls);

  expect(calls.map((call) => outcomes.get(call))).toEqual(accepted(deliveries).map((value) => ({ value })));
  expect(await rows("SELECT author FROM pull_request_authors")).toEqual([{ author: "Ann" }]);
  expect(await rows("SELECT COUNT(*) AS count FROM run_attachments")).toEqual([{ count: 2 }]);
  const events = await store.pullRequests.listEvents(FACTORY, { after: null, limit: 10 });
  expect(events).toEqual([
    { id: deliveries[1]?.id, event: told('The "first" \\ and 中') },
    { id: deliveries[2]?.id, event: told("The second") },
  ]);
});

test("of deliveries that come together, each is recorded once, with its runs and in its order", async () => {
  const { rows, deliver } = await anOpenStore();
  const deliveries = Array.from({ length: 200 }, () => aDelivery({ runs: [aStartedRun(), aStartedRun()] }));

  expect(await deliver(...deliveries)).toEqual(accepted(deliveries));

  const ids = deliveries.map(({ id }) => ({ id }));
  expect(await rows("SELECT delivery_id AS id FROM deliveries ORDER BY delivery_id")).toEqual(ids);
  expect(await rows("SELECT subject AS id FROM changes WHERE kind = 'delivery' ORDER BY seq")).toEqual(ids);
  const runs = deliveries.flatMap(({ id, runs }) => runs.map((run) => ({ id: run.id, delivery: id })));
  expect(await rows("SELECT run_id AS id, delivery_id AS delivery FROM runs ORDER BY run_id")).toEqual(runs);
  expect(await rows("SELECT subject AS id FROM changes WHERE kind = 'run' ORDER BY seq")).toEqual(
    runs.map(({ id }) => ({ id })),
  );
  expect(await rows("SELECT COUNT(*) AS count FROM run_events")).toEqual([{ count: 400 }]);
});

test("a delivery whose key was used is written as one whose key is new: the same rows, by either way", async () => {
  const { rows, deliver } = await anOpenStore();
  const content = Buffer.from([0, 255, 34, 92]);
  const both = [0, 1].map((index) =>
    aDelivery({
      time: AT,
      payload: content,
      event: "push \\x41 \"quoted\" 'and' 😀",
      sender: { login: "ann" } as never,
      pullRequest: { repository: "acme/app", number: index, author: "ann" },
      runs: [aStartedRun(), aStartedRun(content)],
      // Has to be looked up first.
      once: index === 0 ? null : { principalUid: "ann", key: "one", requestHash: "hash" },
    }),
  );

  expect(await deliver(...both)).toEqual(accepted(both));

  const [plain, looked] = both.map(({ id, runs }) => [id, ...runs.map((run) => run.id)]) as [
    string[],
    string[],
  ];
  for (const table of ["deliveries", "runs", "run_attachments", "run_events", "changes"]) {
    const written = await rows(`SELECT * FROM ${table}`);
    const of = (ids: readonly string[]) =>
      written
        .map((row) => JSON.stringify(without(row, ["seq", "event_uuid", "identity_value"])))
        .filter((row) => ids.some((id) => row.includes(id)))
        .map((row) => ids.reduce((text, id, place) => text.replaceAll(id, `id ${place}`), row))
        .sort();
    expect(of(plain), table).toEqual(of(looked));
    expect(of(plain).length, table).toBeGreaterThan(0);
  }
  expect(await rows("SELECT COUNT(*) AS count FROM pull_request_authors")).toEqual([{ count: 2 }]);
});

test("of the same delivery twice at once, the second is a duplicate, and starts nothing", async () => {
  const { rows, deliver } = await anOpenStore();
  const first = aDelivery({ runs: [aStartedRun()] });
  const again = aDelivery({ identityKey: first.identityKey, runs: [aStartedRun()] });
  const other = aDelivery({ runs: [aStartedRun()] });

  expect(await deliver(first, again, other)).toEqual([
    { outcome: "Accepted", deliveryId: first.id },
    { outcome: "Duplicate", deliveryId: first.id },
    { outcome: "Accepted", deliveryId: other.id },
  ]);

  expect(await rows("SELECT COUNT(*) AS count FROM runs")).toEqual([{ count: 2 }]);
  expect(await rows("SELECT outcome FROM deliveries ORDER BY delivery_id")).toEqual(
    ["Accepted", "Duplicate", "Accepted"].map((outcome) => ({ outcome })),
  );
});

test("what was matched under something that is not in force is not recorded, and its neighbours are", async () => {
  const { rows, deliver } = await anOpenStore();
  const [before, outdated, unknown] = [
    aDelivery(),
    aDelivery({ generation: 7, runs: [aStartedRun()] }),
    aDelivery({ factoryUid: "gone" }),
  ];

  expect(await deliver(before, outdated, unknown)).toEqual([
    { outcome: "Accepted", deliveryId: before.id },
    { outcome: "Outdated" },
    { outcome: "Outdated" },
  ]);

  expect(await rows("SELECT delivery_id AS id FROM deliveries")).toEqual([{ id: before.id }]);
  expect(await rows("SELECT COUNT(*) AS count FROM delivery_identities")).toEqual([{ count: 1 }]);
});

test("a delivery that cannot be written fails alone", async () => {
  const { rows, deliver, store } = await anOpenStore();
  const run = aStartedRun();
  const [good, bad, text] = [
    aDelivery({ runs: [aStartedRun()] }),
    aDelivery({ runs: [run, run] }),
    aDelivery({ event: "half of a pair: \ud800" }),
  ];

  const settled = await Promise.allSettled([good, bad, text].map((each) => store.deliveries.record(each)));

  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await rows("SELECT delivery_id AS id FROM deliveries ORDER BY delivery_id")).toEqual([
    { id: good.id },
    { id: text.id },
  ]);
  expect(await deliver(aDelivery())).toMatchObject([{ outcome: "Accepted" }]);
});

test("large bodies are recorded as small ones are", async () => {
  const { store, deliver } = await anOpenStore();
  const large = Array.from({ length: 6 }, (_, index) =>
    aDelivery({ id: newUuid(), payload: Buffer.alloc(index % 2 === 0 ? 250_000 : 1_000_000, index) }),
  );

  expect(await deliver(...large)).toEqual(accepted(large));

  for (const { id, payload } of large) {
    expect(Buffer.compare((await store.deliveries.findPayload(id)) as Uint8Array, payload)).toBe(0);
  }
});

function without(row: Record<string, unknown>, columns: readonly string[]) {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)));
}
