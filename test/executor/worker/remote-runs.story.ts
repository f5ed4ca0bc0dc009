import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { LIST_WORKSPACE, preparingServer } from "../../given/executing.ts";
import { agentsIn } from "../../given/processes.ts";
import { waitFor } from "../../given/server.ts";
import { aWorker, doorClient, remoteRuns } from "../../given/workers.ts";

/** Says its turn and its prompt, leaves a file, and reports through the API. */
const AGENT = `
  import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  console.log("turn " + process.env.MILLRACE_TURN + " in " + process.cwd());
  console.log(prompt);
  mkdirSync("artifacts", { recursive: true });
  writeFileSync("artifacts/result.txt", "the result of turn " + process.env.MILLRACE_TURN);`;

const NO_AGENT = "process.exit(3)";

const mills = sharedByFile(async () => ({
  usual: await remoteRuns(),
  hasty: await remoteRuns({ lease: "5s" }),
}));
const preparing = sharedByFile(() => preparingServer(LIST_WORKSPACE));

test("a run that names a worker executes there, with its transcript and its files here, and goes on there", async () => {
  const { server, story } = mills().usual;
  const worker = await aWorker(server, { agent: AGENT, name: "first" });
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/run", {
    prompt: "Build it.",
    config: { worker_host: "first" },
  });
  expect(await story.ended(run_id)).toMatchObject({ state: "SUCCEEDED" });
  const transcript = await (await server.fetch(`/api/v1/agent/runs/${run_id}/transcript`, asAdmin)).text();
  expect(transcript).toContain("turn 1");
  expect(transcript).toContain("Build it.");
  expect(transcript).toContain(worker.dataDir);
  const { artifacts } = await server.api<{ artifacts: { data: { artifact_uid: string } }[] }>(
    "GET",
    `/agent/runs/${run_id}`,
  );
  const { data } = await server.api<{ data: { download_url: string } }>(
    "GET",
    `/agent/artifacts/${artifacts[0]?.data.artifact_uid}`,
  );
  expect(await (await fetch(data.download_url)).text()).toBe("the result of turn 1");
  expect(existsSync(join(server.dataDir, "workspaces", run_id))).toBe(false);
  expect(readdirSync(join(worker.dataDir, "workspaces")).some((name) => name.startsWith(run_id))).toBe(true);

  await server.api("POST", `/agent/runs/${run_id}/followups`, { message: "And again." });
  await waitFor(
    async () =>
      (await (await server.fetch(`/api/v1/agent/runs/${run_id}/transcript`, asAdmin)).text()).includes(
        "And again.",
      ) || undefined,
  );
  expect(await story.ended(run_id)).toMatchObject({ state: "SUCCEEDED" });
});

const asAdmin = { headers: { authorization: "Bearer test-admin-key-0123456789" } };

test("a worker clones the repositories of its runs through the server, and the clones name the forge as their origin; without a run it cannot clone", async () => {
  const { server, run, repository } = preparing();
  const worker = await aWorker(server, {
    name: "cloning",
    agent: `
      import { execFileSync } from "node:child_process";
      console.log(execFileSync("git", ["-C", "shop", "remote", "get-url", "origin"], { encoding: "utf8" }));
      console.log(execFileSync("git", ["-C", "shop", "log", "--format=%s", "-1"], { encoding: "utf8" }));`,
  });
  const config = { worker_host: "cloning" };
  const ended = await run({ config });
  expect(ended, worker.said()).toMatchObject({ state: "SUCCEEDED" });
  expect(ended.transcript).toContain("cloning acme/shop into shop");
  expect(ended.transcript).toContain(`file://${repository.url}`);
  repository.push({ "later.txt": "1" }, { message: "Later" });
  expect((await run({ config })).transcript).toContain("Later");
  // It cannot clone the repository while it has no run with it.
  const clone = `${server.url}/api/v1/workers/door/git/home/acme/shop.git/info/refs?service=git-upload-pack`;
  const authorization = `Basic ${Buffer.from(`x-access-token:${worker.token}`).toString("base64")}`;
  expect((await fetch(clone, { headers: { authorization } })).status).toBe(404);
  expect((await fetch(clone)).status).toBe(401);
});

test("a run whose repository the forge does not give fails on a worker as it does on the server, with the reason", async () => {
  const { server, run, repository } = preparing();
  await aWorker(server, { agent: NO_AGENT, name: "without" });
  rmSync(repository.url, { recursive: true });
  const onWorker = await run({ config: { worker_host: "without" } });
  const here = await run();
  for (const ended of [here, onWorker]) {
    expect(ended).toMatchObject({
      state: "FAILED",
      status_message: { error_code: "environment_setup_failed" },
    });
    expect(ended.status_message?.message).toContain(`acme/shop cannot be cloned`);
    expect(ended.status_message?.message).toContain(repository.url);
  }
});

test("a repository with SHA-256 is cloned at a commit, here and by a worker", async () => {
  const show = `
    import { execFileSync } from "node:child_process";
    console.log(execFileSync("git", ["-C", "shop", "rev-parse", "HEAD"], { encoding: "utf8" }));`;
  const { server, run, repository } = await preparingServer(show, { format: "sha256" });
  await aWorker(server, { agent: show });
  const first = repository.git("rev-parse", "HEAD");
  expect(first).toHaveLength(64);
  const last = repository.push({ "later.txt": "1" });
  for (const config of [{}, { worker_host: "builder" }]) {
    const checkout = { repository: "acme/shop", ref: first };
    expect((await run({ config, checkout })).transcript).toContain(first);
    expect((await run({ config })).transcript).toContain(last);
  }
});

test("a server that executes nothing itself has every run executed by a worker", async () => {
  const env = { MILLRACE_WORKER_LEASE: "20s", MILLRACE_WORKERS: "none" };
  const { server, story } = await serverWithAgent(NO_AGENT, { env });
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/run", { prompt: "Build it." });
  await aWorker(server, { agent: AGENT });
  expect(await story.ended(run_id)).toMatchObject({ state: "SUCCEEDED" });
});

test("a worker that is gone for its lease loses its runs, and one whose agent had not been started waits for another", async () => {
  const { server, story, start: createRun } = mills().hasty;
  const gone = await doorClient(server, { name: "leaving" });
  const create = () => createRun({ config: { worker_host: "leaving" } });
  const [startedRun, claimedRun] = [await create(), await create()];
  const turns = await gone.claim(2);
  const [first] = turns.filter(({ run }) => run.id === startedRun);
  const tokenHash = "0".repeat(64);
  const start = { sessionId: randomUUID(), tokenHash, takesInput: false };
  expect((await gone.call({ id: startedRun, ticket: first?.ticket ?? 0 }, "start", start)).body).toEqual({
    result: true,
  });
  await aWorker(server, { agent: AGENT, token: gone.token });
  expect(await story.ended(startedRun, 40)).toMatchObject({ state: "ERROR" });
  expect(await story.ended(claimedRun, 40)).toMatchObject({ state: "SUCCEEDED" });
});

/** Says which worker it is on, when it begins and when it ends. */
const SHORT = `
  const tell = (what) => appendFileSync(at("told"), what + " " + process.cwd() + "\\n");
  tell("begin");
  for (let i = 0; i < 10; i += 1) await pause();
  tell("end");`;

test("two workers of a pool execute each of twelve runs once, and never more at once than they may", async () => {
  const mill = mills().usual;
  const agent = mill.agents.program + SHORT;
  const first = await aWorker(mill.server, { agent });
  const second = await aWorker(mill.server, { agent, token: first.token });
  const ids = await Promise.all(Array.from({ length: 12 }, () => mill.start()));
  for (const id of ids) expect(await mill.story.ended(id, 60)).toMatchObject({ state: "SUCCEEDED" });
  expect(ids.map(mill.starts)).toEqual(ids.map(() => 1));
  const told = mill.agents.read("told").trim().split("\n");
  for (const { dataDir } of [first, second]) {
    const here = told.filter((line) => line.includes(dataDir));
    expect(here.length).toBeGreaterThan(2);
    expect(mostAtOnce(here)).toBeLessThanOrEqual(2);
  }
});

function mostAtOnce(lines: readonly string[]): number {
  let now = 0;
  return Math.max(
    ...lines.map((line) => {
      now += line.startsWith("begin") ? 1 : -1;
      return now;
    }),
  );
}

const FOREVER = `
  say("working");
  await until("never");`;

test("a cancel reaches the agent on a worker", async () => {
  const mill = mills().usual;
  const worker = await aWorker(mill.server, { agent: mill.agents.program + FOREVER, name: "cancelled" });
  const id = await mill.start({ config: { worker_host: "cancelled" } });
  await mill.agents.has("working");
  await mill.server.api("POST", `/agent/runs/${id}/cancel`);
  expect(await mill.story.ended(id)).toMatchObject({ state: "CANCELLED" });
  expect(agentsIn(worker.dataDir)).toEqual([]);
});

test("a cancel that the server has taken just before it was killed reaches the agent afterwards", async () => {
  const mill = await remoteRuns({ lease: "20s" });
  const worker = await aWorker(mill.server, { agent: mill.agents.program + FOREVER });
  const id = await mill.start();
  await mill.agents.has("working");
  // The worker hears nothing until the server is gone.
  worker.signal("SIGSTOP");
  await mill.server.api("POST", `/agent/runs/${id}/cancel`);
  await mill.kill();
  worker.signal("SIGCONT");
  await mill.restart();
  expect(await mill.story.ended(id)).toMatchObject({ state: "CANCELLED" });
  await waitFor(() => agentsIn(worker.dataDir).length === 0);
});

test("a worker that claims a run and lets it fall back again and again gets it less and less, and another one executes it", async () => {
  const mill = mills().hasty;
  const bad = await doorClient(mill.server, { facts: { dataFolder: "bad" } });
  const id = await mill.start();
  const isState = (state: string) =>
    waitFor(async () => (await mill.story.run(id)).state === state || undefined, 40);
  for (const _ of [1, 2]) {
    expect(await bad.claim(1, 20_000)).toHaveLength(1);
    await isState("QUEUED");
  }
  await waitFor(() => mill.server.log().includes("let them fall back again and again") || undefined);
  const second = await mill.start();
  expect((await bad.claim(5, 20_000)).length).toBeLessThanOrEqual(1);
  await aWorker(mill.server, { agent: mill.agents.program, token: bad.token });
  for (const each of [id, second])
    expect(await mill.story.ended(each, 60)).toMatchObject({ state: "SUCCEEDED" });
  expect([mill.starts(id), mill.starts(second)]).toEqual([1, 1]);
});
