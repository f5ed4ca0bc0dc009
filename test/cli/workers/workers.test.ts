import { expect, test } from "vitest";
import type { Models } from "../../../src/client/client.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import { doorClient, seenProcess } from "../../given/workers.ts";

const stage = sharedByFile(async () => {
  const { server } = await serving(FACTORY, {});
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const millrace = (...args: string[]) => run(["workers", ...args], env);
  const create = async (...args: string[]) => {
    const { code, printed } = await millrace("create", ...args, "--json");
    expect(code).toBe(0);
    return JSON.parse(printed) as { id: string; token: string };
  };
  return { server, millrace, create };
});

test("a worker is created, its token is printed once, and what starts it is said beside", async () => {
  const { server, millrace } = stage();
  const { code, printed, said } = await millrace(
    "create",
    "gpu-1",
    "--labels",
    "gpu, eu",
    "--factory",
    "acme",
  );
  expect([code, printed]).toEqual([0, expect.stringMatching(/^mrw_\w{40}\n$/)]);
  expect(said).toContain("only time that the token of worker gpu-1");
  expect(said).toContain(`millrace worker --server ${server.url} --token-file FILE`);
  expect(said).not.toContain(printed.trim());
  const shown = (await millrace("show", "gpu-1")).printed;
  expect(shown).toMatch(/^state: +offline$/m);
  expect(shown).toMatch(/^labels: +eu, gpu$/m);
  expect(shown).toMatch(/^last seen: +never$/m);
  expect((await millrace("list")).printed).toMatch(/ gpu-1 +offline +eu,gpu +- +- +- +\w{22} +never$/m);
});

test.each(["", "gpu,", ","])(
  "no worker is created with the labels %j, which someone meant to be others",
  async (labels) => {
    const { millrace } = stage();
    const refused = await millrace("create", "unlabelled", "--labels", labels);
    expect([refused.code, refused.said]).toEqual([2, expect.stringContaining("such as gpu,eu")]);
    expect((await millrace("list")).printed).not.toContain("unlabelled");
  },
);

test("a program gets the id and the token of the worker that it has created, and nothing else", async () => {
  const { create } = stage();
  expect(await create("for-program")).toEqual({
    id: expect.stringMatching(/^\w{22}$/),
    token: expect.stringMatching(/^mrw_\w{40}$/),
  });
});

test("a worker shows its load and its processes", async () => {
  const { server, millrace, create } = stage();
  const { id, token } = await create("loaded");
  await seenProcess(server, token, { uid: "one", labels: ["eu"] });
  expect((await millrace("list")).printed).toMatch(
    / loaded +connected +eu +1 of 4 +1\.2\.3 +linux\/x86_64 +all +\d+s ago$/m,
  );
  await seenProcess(server, token, { uid: "two", executing: 3 });
  const { printed } = await millrace("show", id);
  expect(printed).toMatch(/^load: +4 of 8$/m);
  expect(printed).toMatch(/^machine: +4 CPUs, 16 GB of memory$/m);
  expect(printed).toMatch(/^one +eu +1 of 4 +1\.2\.3 /m);
  const worker = JSON.parse((await millrace("show", id, "--json")).printed) as Models["Worker"];
  expect(worker.processes.map(({ uid }) => uid)).toEqual(["one", "two"]);
});

test("a worker is drained, gets turns again, and is revoked by its name", async () => {
  const { server, millrace, create } = stage();
  const { id, token } = await create("drained");
  await seenProcess(server, token);
  expect((await millrace("drain", "drained")).printed).toBe(
    "Worker drained gets no new turns. It executes 1 turn.\nTo end the drain, use `millrace workers drain drained --end`.\n",
  );
  expect((await millrace("show", id)).printed).toMatch(/^draining: +since 20/m);
  expect((await millrace("drain", "drained", "--end")).printed).toBe("Worker drained gets turns again.\n");
  expect((await millrace("show", id)).printed).toMatch(/^state: +connected$/m);
  expect((await millrace("revoke", "drained")).printed).toBe(`Revoked worker drained (${id}).\n`);
  const gone = await millrace("show", id);
  expect([gone.code, gone.said]).toEqual([5, expect.stringContaining("millrace workers list")]);
});

test("the name of a pool of several workers is not taken for one of them", async () => {
  const { millrace, create } = stage();
  const ids = [(await create("pool")).id, (await create("pool")).id];
  const refused = await millrace("revoke", "pool");
  expect(refused.code).not.toBe(0);
  for (const id of ids) expect(refused.said).toContain(id);
  expect((await millrace("revoke", String(ids[0]))).code).toBe(0);
  expect((await millrace("show", "pool")).code).toBe(0);
});

test("a run shows the worker that it is for", async () => {
  const { server } = stage();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const body = { prompt: "Do it.", config: { worker_host: "gpu-7" } };
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", body);
  expect((await run(["runs", "get", run_id], env)).printed).toMatch(/^worker: +gpu-7$/m);
});

test("a number of runs that is none is refused by the name of its option", async () => {
  const words = ["worker", "--server", "http://127.0.0.1:1", "--token-file", "t", "--concurrency", "many"];
  const { code, said } = await run(words);
  expect([code, said]).toEqual([2, expect.stringMatching(/--concurrency.*Expected a whole number/s)]);
});

test("a worker shows the runs that it executes", async () => {
  const { server, millrace, create } = stage();
  const { token } = await create("at-work");
  const worker = await doorClient(server, { token });
  const body = { prompt: "x", title: "Build it", config: { worker_host: "at-work" } };
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", body);
  await worker.claim();
  const { printed } = await millrace("show", "at-work");
  expect(printed).toMatch(/^RUN +TITLE +PROCESS$/m);
  expect(printed).toMatch(new RegExp(`^${run_id} +Build it +${worker.process}$`, "m"));
});
