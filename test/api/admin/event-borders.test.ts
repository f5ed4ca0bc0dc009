import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { eventEndpoints } from "../../../src/api/admin/events.ts";
import { createCommitSignal } from "../../../src/concurrency/rounds.ts";
import type { ApiKey } from "../../../src/principals/principal.ts";
import type { Factories } from "../../../src/reconcile/factories.ts";
import { AT, aRun, aStore } from "../../given/store.ts";

const KEY: ApiKey = {
  id: "key",
  principal: { uid: "ann", type: "user", displayName: "Ann" },
  name: "ann",
  kind: "personal",
  role: "viewer",
  factories: null,
  prefix: "mr_",
  createdAt: AT,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

/** Whoever reaches everything has the numbers of the changes. */
const NO_CURSORS = { hide: () => "", reveal: () => undefined };

/** The stream of a store in which the changes 7 to 10 are kept, and those before them are forgotten. */
async function streaming() {
  const { changes, runs, connection } = await aStore();
  for (let n = 0; n < 10; n += 1) await runs.create(aRun(), AT);
  await runs.updateListing(100);
  connection.execute("UPDATE delivery_search_progress SET seq = 10");
  await changes.prune(4, 100);
  expect(await changes.findRange()).toEqual({ first: 7, last: 10 });
  // Changes of runs name no factory here, so nobody looks one up.
  const factories = { find: () => undefined } as unknown as Factories;
  const commits = createCommitSignal();
  const telling = setInterval(commits.committed, 50);
  onTestFinished(() => clearInterval(telling));
  const endpoint = eventEndpoints({ changes, commits, factories, cursors: NO_CURSORS }).streamEvents;
  const app = express();
  app.get("/", (request, response) =>
    endpoint?.handle({
      operation: "streamEvents",
      caller: { kind: "key", key: KEY },
      path: {},
      query: {},
      body: undefined,
      http: { request, response, isAdmitted: async () => true },
    }),
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { runs, url: `http://127.0.0.1:${port}/` };
}

/** What a reader is sent first that comes back with this id: the events, up to the one that tells of a run made just now. */
async function firstTo(lastEventId: number): Promise<string[]> {
  const { runs, url } = await streaming();
  const leaving = new AbortController();
  const answer = await fetch(url, {
    headers: { "last-event-id": String(lastEventId) },
    signal: leaving.signal,
  });
  await runs.create(aRun(), AT);
  let events: string[] = [];
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true });
    const sent = [...text.matchAll(/id: (\d+)\nevent: (\w+)\n/g)];
    events = sent.map(([, id, event]) => `${event} ${id}`);
    if (events.at(-1) === "run 11") break;
  }
  leaving.abort();
  return events;
}

test.each([
  [5, ["reset 10", "run 11"], "has missed one that is forgotten"],
  [6, ["run 7", "run 8", "run 9", "run 10", "run 11"], "has seen the last one that is forgotten"],
  [7, ["run 8", "run 9", "run 10", "run 11"], "has seen the first one that is kept"],
  [10, ["run 11"], "has seen the last one"],
  [11, ["reset 10", "run 11"], "names one that was never sent"],
])("a reader that comes back after event %i is told %j: it %s", async (id, told) => {
  expect(await firstTo(id)).toEqual(told);
});
