import { expect, test } from "vitest";
import type { Models } from "../../../src/client/client.ts";
import { ask } from "../../given/ask.ts";
import { startServer } from "../../given/server.ts";
import { doorClient } from "../../given/workers.ts";

test("a worker is shown with the runs that it executes, each with its process, and without those that have ended", async () => {
  const server = await startServer({ sources: [] });
  const first = await doorClient(server);
  const second = await doorClient(server, { token: first.token });
  const other = await doorClient(server, { name: "idle" });
  const start = async (title: string) => {
    const body = { prompt: "x", title, config: { worker_host: "builder" } };
    return (await server.api<{ run_id: string }>("POST", "/agent/run", body)).run_id;
  };
  const show = async (id: string) => (await ask<Models["Worker"]>(server, "GET", `/workers/${id}`)).body.runs;
  const one = await start("One");
  const [claimed] = await first.claim();
  const two = await start("Two");
  await second.claim();
  await start("Waits");
  const shown = [
    { run_id: one, title: "One", process: first.process },
    { run_id: two, title: "Two", process: second.process },
  ];
  expect(await show(first.id)).toEqual(shown);
  const { workers } = (await ask<Models["WorkerList"]>(server, "GET", "/workers")).body;
  expect(workers.map(({ name, runs }) => [name, runs])).toEqual([
    ["builder", shown],
    ["idle", []],
  ]);
  expect(await show(other.id)).toEqual([]);
  const ending = { state: "FAILED", exitCode: null, statusMessage: null };
  await first.call({ id: one, ticket: claimed?.ticket ?? 0 }, "finish", { ending });
  expect(await show(first.id)).toEqual(shown.slice(1));
});
