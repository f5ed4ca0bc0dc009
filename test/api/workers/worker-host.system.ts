import { describe, expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { serving } from "../../given/serving.ts";

const files = {
  ...FACTORY,
  "runners/big.yaml": "platform: { arch: x86_64 }\ninstanceShape: { vcpus: 8, memoryGb: 32 }\n",
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/triage.md": automationOn(["ci"]).replace("---\n", "---\nworkerHost: triage-pool\n"),
  "agents/helper/agent.md": "---\nworkerHost: pool\nrunner: big\n---\nYou help.\n",
};
const stage = sharedByFile(async () =>
  serving(files, { CI_SECRET: "the-token" }, { agent: "process.exit(0);" }),
);

const start = async (body: object) => {
  const { server, story } = stage();
  const created = await ask<{ run_id: string; [key: string]: unknown }>(server, "POST", "/agent/runs", {
    body: { prompt: "p", ...body },
  });
  return { ...created, run: created.status === 200 ? await story.run(created.body.run_id) : undefined };
};

describe("a run that names a worker", () => {
  test("waits for it and says what is missing", async () => {
    const { run, body } = await start({ config: { worker_host: "labels:gpu,eu" } });
    expect(body.at_capacity).toBe(true);
    expect(run).toMatchObject({
      state: "QUEUED",
      agent_config: { worker_host: "labels:gpu,eu" },
      waiting: { reason: "no_worker", message: "No worker with labels eu, gpu is connected.", place: 0 },
    });
  });

  test("has the worker of its agent, with what the runner asks for, unless the request says another", async () => {
    const { run } = await start({ agent: "helper" });
    expect(run?.waiting?.message).toBe(
      "No worker named pool (x86_64, at least 8 vCPUs, at least 32 GB of memory) is connected.",
    );
    const other = await start({ agent: "helper", config: { worker_host: "other" } });
    expect(other.run?.waiting?.message).toContain("No worker named other");
    expect(other.run?.agent_config?.worker_host).toBe("other");
  });

  test("has the worker of its automation, when a delivery starts it and when it is run again", async () => {
    const { server, story } = stage();
    const id = await story.accept(await story.urlOf("ci"), "the-token", "{}");
    const [started = ""] = (await story.delivery(id)).run_ids;
    const waits = { reason: "no_worker", message: "No worker named triage-pool is connected.", place: 0 };
    expect((await story.run(started)).waiting).toEqual(waits);
    await server.api("POST", `/agent/runs/${started}/cancel`);
    const { run_id } = await server.api<{ run_id: string }>("POST", `/agent/runs/${started}/run-again`);
    expect((await story.run(run_id)).waiting).toEqual(waits);
  });

  test.each(["", "warp", "local", "millrace"])(
    "is executed by the server when it says %j",
    async (worker_host) => {
      const { run } = await start({ agent: "helper", config: { worker_host } });
      expect((await stage().story.ended(run?.run_id ?? "")).state).toBe("SUCCEEDED");
    },
  );

  test.each(["a b", "labels:", "labels:a,,b"])(
    "is refused for a worker host that is none: %j",
    async (worker_host) => {
      const { status, body } = await start({ config: { worker_host } });
      expect([status, body.field]).toEqual([400, "config.worker_host"]);
      expect(body.detail).toContain("expected");
    },
  );

  test("can be cancelled and run again, for the same worker", async () => {
    const { server, story } = stage();
    const { run } = await start({ config: { worker_host: "again" } });
    await server.api("POST", `/agent/runs/${run?.run_id}/cancel`);
    const { run_id } = await server.api<{ run_id: string }>("POST", `/agent/runs/${run?.run_id}/run-again`);
    expect((await story.run(run_id)).waiting?.message).toBe("No worker named again is connected.");
  });

  test("is that of an identity too", async () => {
    const { server } = stage();
    const refused = await ask(server, "POST", "/agent/identities", {
      body: { name: "i", worker_host: "a b" },
    });
    expect([refused.status, refused.body.field]).toEqual([400, "worker_host"]);
    const { uid } = await server.api<{ uid: string }>("POST", "/agent/identities", {
      name: "i",
      worker_host: "its-pool",
    });
    const { run } = await start({ agent_identity_uid: uid });
    expect(run?.waiting?.message).toBe("No worker named its-pool is connected.");
  });
});

describe("the demand for workers", () => {
  test("is one number for a pool, in the API and in the metrics", async () => {
    const { server } = stage();
    for (const worker_host of ["labels:ci,arm", "labels:arm,ci"]) await start({ config: { worker_host } });
    const { status, body } = await ask(server, "GET", "/workers/demand?worker_host=labels:ci,ARM");
    expect([status, body]).toEqual([
      200,
      {
        ...{ waiting: 2, executing: 0, oldest_waiting_seconds: expect.any(Number) },
        demands: [
          {
            worker_host: "labels:arm,ci",
            waiting: 2,
            executing: 0,
            oldest_waiting_seconds: expect.any(Number),
          },
        ],
      },
    ]);
    const all = await ask(server, "GET", "/workers/demand");
    expect(all.body.waiting).toBeGreaterThanOrEqual(2);
    const metrics = await (await server.metrics()).text();
    expect(metrics).toContain('millrace_worker_runs_waiting{worker_host="labels:arm,ci",os="",arch=""} 2');
  });

  test("asks for a worker host, and teaches its form", async () => {
    const { status, body } = await ask(stage().server, "GET", "/workers/demand?worker_host=a%20b");
    expect([status, body.field]).toEqual([400, "worker_host"]);
  });
});

test("a plan warns of a worker that the server has never had", async () => {
  const sent = Object.entries(files).map(([path, content]) => ({ path, content: String(content) }));
  const { body } = await ask<{ warnings: { code: string; path: string; blocking: boolean }[] }>(
    stage().server,
    "POST",
    "/factories/acme/plan",
    { body: { files: sent } },
  );
  const found = body.warnings.filter(({ code }) => code === "worker_host_unknown");
  expect(found.map(({ path, blocking }) => [path, blocking])).toEqual([
    ["agents/helper/agent.md", false],
    ["automations/triage.md", false],
  ]);
});

test("a server that executes nothing itself leaves every run to workers, and says so", async () => {
  const { server, story } = await serving(FACTORY, {}, { env: { MILLRACE_WORKERS: "none" } });
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "p" });
  expect((await story.run(run_id)).waiting).toEqual({
    reason: "no_worker",
    message: "No worker is connected.",
    place: 0,
  });
  const demand = await ask(server, "GET", "/workers/demand?worker_host=local");
  expect(demand.body).toMatchObject({ waiting: 1, executing: 0 });
});
