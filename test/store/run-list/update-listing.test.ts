import { expect, test } from "vitest";
import type { RunStore } from "../../../src/runs/run-store.ts";
import type { PostgresConnection } from "../../../src/store/postgres/postgres-connection.ts";
import { listRuns } from "../../../src/store/run-list/run-list.ts";
import type { SqliteConnection } from "../../../src/store/sqlite/sqlite.ts";
import { AT, aQuery, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

const NO_BACKLOG = { changes: 0, since: null };
const MOST = { count: 10, bytes: 1_000 };

async function finished({ claim, start, finish }: RunStore, id: string, at: string): Promise<void> {
  const [claimed] = await claim(1, LEASE, at);
  const ticket = { id, ticket: claimed?.ticket ?? 0 };
  await start({ ...ticket, sessionId: id, tokenHash: id, takesInput: false }, at);
  await finish(ticket, { state: "SUCCEEDED", exitCode: 0, statusMessage: null }, at);
}

test("a list shows a run once it is updated, as the run is then, however often it has changed", async () => {
  const { runs, connection } = await aStore();
  const run = aRun();
  await runs.create(run, AT);
  await finished(runs, run.id, LATER);
  expect(await listRuns(connection, aQuery())).toEqual({ runs: [], behindSince: AT });
  expect(await runs.updateListing(100)).toEqual(NO_BACKLOG);
  expect(await listRuns(connection, aQuery({ states: ["SUCCEEDED"] }))).toMatchObject({
    runs: [{ id: run.id, updatedAt: LATER }],
  });
  expect(await listRuns(connection, aQuery({ states: ["QUEUED"] }))).toEqual({ runs: [] });
});

test("a listed run is found by its new state after the next update", async () => {
  const { runs, connection } = await aStore();
  const run = aRun();
  await runs.create(run, AT);
  await runs.updateListing(100);
  await runs.cancel(run.id, LATER);
  expect(await listRuns(connection, aQuery())).toMatchObject({ runs: [{ id: run.id }], behindSince: LATER });
  await runs.updateListing(100);
  const page = await listRuns(connection, aQuery({ states: ["CANCELLED"], updatedAfter: Date.parse(LATER) }));
  expect(page.runs.map(({ id }) => id)).toEqual([run.id]);
});

test("an update takes the oldest changes first, at most as many as it may, and reports what is left", async () => {
  const { runs, connection } = await aStore();
  const created = [aRun(), aRun(), aRun()];
  for (const [index, run] of created.entries()) await runs.create(run, index === 2 ? LATER : AT);
  expect(await runs.updateListing(2)).toEqual({ changes: 1, since: LATER });
  expect(await runs.findListingBacklog()).toEqual({ changes: 1, since: LATER });
  const page = await listRuns(connection, aQuery({}, { sort: "created_at", descending: false }));
  expect(page.runs.map(({ id }) => id)).toEqual(created.slice(0, 2).map(({ id }) => id));
  expect(await runs.updateListing(2)).toEqual(NO_BACKLOG);
});

test("a run that was deleted before it was listed is not listed, and stops no other", async () => {
  const { runs, connection } = await aStore();
  const [deleted, other] = [aRun(), aRun()];
  await runs.create(deleted, AT);
  await runs.create(other, AT);
  await runs.cancel(deleted.id, AT);
  expect(await runs.forgetRun(deleted.id, AT)).toMatchObject({ isGone: true });
  expect(await runs.updateListing(100)).toEqual(NO_BACKLOG);
  expect((await listRuns(connection, aQuery())).runs.map(({ id }) => id)).toEqual([other.id]);
});

test("a run is found by artifacts of before and after it was listed", async () => {
  const { runs, connection } = await aStore();
  const run = aRun();
  await runs.create(run, AT);
  const artifact = { turn: 1, data: { artifact_uid: "one" }, createdAt: AT };
  await runs.addArtifact(run.id, { ...artifact, id: "one", type: "PLAN" }, MOST);
  await runs.updateListing(100);
  await runs.addArtifact(run.id, { ...artifact, id: "two", type: "FILE" }, MOST);
  for (const artifactType of ["PLAN", "FILE"]) {
    expect((await listRuns(connection, aQuery({ artifactType }))).runs).toHaveLength(1);
  }
});

test("changes are not pruned before they are listed", async () => {
  const { runs, changes, connection } = await aStore();
  await connection.run("UPDATE delivery_search_progress SET seq = 100");
  await runs.create(aRun(), AT);
  await runs.create(aRun(), AT);
  expect(await changes.prune(0, 100)).toBe(0);
  await runs.updateListing(1);
  expect(await changes.prune(0, 100)).toBe(1);
  await runs.updateListing(100);
  expect((await listRuns(connection, aQuery())).runs).toHaveLength(2);
});

/** @returns what says whether something was written since it was asked last */
function writesOf(connection: SqliteConnection | PostgresConnection): () => Promise<boolean> {
  if ("hasWritten" in connection) return async () => connection.hasWritten();
  let before = 0;
  return async () => {
    const { n = 0 } = (await connection.first<{ n: number }>("SELECT TOTAL_CHANGES() AS n")) ?? {};
    const hasWritten = n !== before;
    before = n;
    return hasWritten;
  };
}

test("an update that finds nothing writes nothing", async () => {
  const { runs, connection } = await aStore();
  const hasWritten = writesOf(connection);
  await runs.create(aRun(), AT);
  await runs.updateListing(100);
  expect(await hasWritten()).toBe(true);
  await runs.updateListing(100);
  expect(await hasWritten()).toBe(false);
});
