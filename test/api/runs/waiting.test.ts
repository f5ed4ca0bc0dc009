import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { waitingOf } from "../../../src/runs/rules/waiting.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { automationOn, TOKEN_WEBHOOK, withMillrace } from "../../given/definition.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";

/** A server whose agents say that they have started, and go on until they are told to end. */
async function patient(env: Record<string, string>) {
  const folder = temporaryFolder();
  const code = `
    import { existsSync, writeFileSync } from "node:fs";
    writeFileSync(${JSON.stringify(folder)} + "/" + process.env.MILLRACE_RUN_ID, "");
    while (!existsSync(${JSON.stringify(folder)} + "/go")) await new Promise((resolve) => setTimeout(resolve, 20));`;
  const capped = withMillrace(automationOn(["ci"]), "{ concurrency: 1 }");
  const files = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/triage.md": capped };
  const { server, story } = await serverWithAgent(code, { files, env });
  await story.setSecret("CI_SECRET", "the-token");
  await story.sync();
  const deliver = async () => {
    const id = await story.accept(await story.urlOf("ci"), "the-token", `{"id":"${newUuid()}"}`);
    return (await story.delivery(id)).run_ids[0] ?? "";
  };
  return {
    ...{ server, story, deliver },
    create: async () => (await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "x" })).run_id,
    hasStarted: (id: string) => waitFor(() => existsSync(join(folder, id))),
    go: () => writeFileSync(join(folder, "go"), ""),
  };
}

test("a queued run tells why it waits and how many start before it, and one that has started does not", async () => {
  const { server, story, deliver, create, hasStarted, go } = await patient({ MILLRACE_RUN_CONCURRENCY: "2" });
  const first = await deliver();
  await hasStarted(first);
  const [second, third] = [await deliver(), await deliver()];
  const limit = {
    reason: "automation_limit",
    message: "1 of 1 run of the automation triage is in progress.",
  };
  expect((await story.run(second)).waiting).toEqual({ ...limit, place: 0 });
  expect((await story.run(third)).waiting).toEqual({ ...limit, place: 1 });

  const other = await create();
  await hasStarted(other);
  const [fourth, fifth] = [await create(), await create()];
  const full = {
    reason: "server_limit",
    message: "2 of 2 runs that the server executes at the same time are in progress.",
  };
  expect((await story.run(fourth)).waiting).toEqual({ ...full, place: 0 });
  expect((await story.run(fifth)).waiting).toEqual({ ...full, place: 1 });
  expect((await story.run(first)).waiting).toBeUndefined();

  const { id } = await server.api<{ id: string }>("POST", "/pauses", {
    factory: "acme",
    automation: "triage",
    reason: "the model is down",
  });
  expect((await story.run(second)).waiting).toEqual({
    reason: "paused",
    message: "The automation triage is paused: the model is down",
    place: 0,
  });
  await server.api("DELETE", `/pauses/${id}`);
  go();
  const ended = await story.ended(third);
  expect([ended.state, ended.waiting]).toEqual(["SUCCEEDED", undefined]);
});

test.each([
  [{ ahead: 0, hasRoom: false }, "The server starts no runs until it has more free disk space."],
  [
    { ahead: 0, executing: 1, concurrency: 1 },
    "1 of 1 run that the server executes at the same time is in progress.",
  ],
  [{ ahead: 0 }, "The run is about to start."],
  [{ ahead: 1 }, "1 earlier run will start first."],
  [{ ahead: 100 }, "At least 100 earlier runs will start first."],
  [
    { hold: { kind: "hourly_limit", cap: 20, started: 20 }, opensAt: "2026-11-21T11:00:00.000Z", ahead: 3 },
    "The factory acme has started 20 of 20 runs in the last hour. The next one can start at 2026-11-21T11:00:00.000Z.",
  ],
  [
    { hold: { kind: "automation_limit", cap: 2, working: 1 }, ahead: 1 },
    "The automation triage is limited to 2 runs at the same time, and earlier runs start first.",
  ],
] as const)("%j is said in words", (place, message) => {
  const run = { placement: "", factoryUid: null, home: null, turnAskedAt: null };
  const load = { executing: 0, concurrency: 2, hasRoom: true, ...run };
  expect(waitingOf({ ...load, ...place }, { factory: "acme", automation: "triage" }).message).toBe(message);
});

test.each([
  [{ ahead: 0, isBehindOthers: true }, "Runs of other factories have their turn first."],
  [{ ahead: 0, isBehindOthers: true, executing: 2 }, "Runs of other factories have their turn first."],
  [
    { ahead: 1, isBehindOthers: true },
    "Runs of other factories have their turn first, and so has 1 earlier run of the factory acme.",
  ],
  [
    { ahead: 0, hold: { kind: "share", cap: 3, working: 3 } },
    "3 of 3 runs that the share of the factory acme allows are in progress.",
  ],
  [{ ahead: 0, executing: 2 }, "The server executes as many runs at the same time as it can."],
  [
    { ahead: 0, placement: "gpu", workers: { connected: 3, fitting: 0, free: 0, draining: 0 } },
    "No worker named gpu is connected.",
  ],
] as const)("who reaches some factories only is told of %j without numbers of others", (place, message) => {
  const run = { placement: "", factoryUid: "acme", home: null, turnAskedAt: null };
  const load = { executing: 0, concurrency: 2, hasRoom: true, ...run };
  const names = { factory: "acme", automation: "triage", isBound: true };
  expect(waitingOf({ ...load, ...place }, names).message).toBe(message);
});
