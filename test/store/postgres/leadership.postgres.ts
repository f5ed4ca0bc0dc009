import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aPostgresDatabase, openedPostgres, terminate } from "../../given/postgres.ts";
import { cutLink } from "../../given/proxies.ts";
import { waitFor } from "../../given/server.ts";
import { AT, aRun } from "../../given/store.ts";

test("one of two servers leads, and the other one when that has ended", async () => {
  const url = await aPostgresDatabase();
  const a = await openedPostgres(url);
  const b = await openedPostgres(url);
  const began: string[] = [];
  b.store.session.onLeading(() => began.push("b"));
  await sleep(1_200);
  expect([a.leads(), b.leads(), began]).toEqual([true, false, []]);
  await a.store.close();
  await waitFor(() => b.leads());
  expect(began).toEqual(["b"]);
});

test("a server that resigns lets the other one lead, and does not lead again when that has ended", async () => {
  const url = await aPostgresDatabase();
  const a = await openedPostgres(url);
  const b = await openedPostgres(url);
  expect([a.leads(), b.leads()]).toEqual([true, false]);
  await a.store.session.resign();
  expect(a.leads()).toBe(false);
  await waitFor(() => b.leads());
  await b.store.close();
  await sleep(1_200);
  expect(a.leads()).toBe(false);
  // It goes on as a server.
  await a.store.runs.create(aRun(), AT);
});

test("a server whose session has ended does not lead until it has another one", async () => {
  const url = await aPostgresDatabase();
  const { leads } = await openedPostgres(url);
  await terminate(url, "server");
  await waitFor(() => !leads());
  await waitFor(() => leads());
});

test("a server that is cut off leads no more before another one does, and finds its way back", async () => {
  const direct = await aPostgresDatabase();
  const link = await cutLink(direct);
  const url = new URL(direct);
  url.port = new URL(link.url).port;
  const a = await openedPostgres(url.href);
  const b = await openedPostgres(direct);
  expect([a.leads(), b.leads()]).toEqual([true, false]);
  link.cut();
  const both: number[] = [];
  await waitFor(() => {
    if (a.leads() && b.leads()) both.push(1);
    return b.leads();
  });
  expect([a.leads(), both]).toEqual([false, []]);
  link.mend();
  const run = aRun();
  await b.store.runs.create(run, AT);
  await waitFor(() => a.store.runs.find(run.id).then(Boolean, () => false));
  expect([a.leads(), b.leads()]).toEqual([false, true]);
});
