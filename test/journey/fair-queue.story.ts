import { expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { waitFor } from "../given/server.ts";
import { tenants } from "../given/tenants.ts";

const FLOOD = 20;

test("a factory's only run starts within two slots of a flood of another, and is told why it waits without a number of it", async () => {
  const { server, story } = await tenants("shares: { other: { weight: 2 } }\n", {
    env: { MILLRACE_RUN_CONCURRENCY: "1" },
    files: FACTORY,
  });
  const { id: pause } = await server.api<{ id: string }>("POST", "/pauses", {});
  const create = async (factory: string) =>
    (await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it.", factory })).run_id;
  for (let n = 0; n < FLOOD; n += 1) await create("acme");
  const only = await create("other");
  const last = await create("acme");
  expect((await story.run(only)).waiting).toMatchObject({ reason: "paused" });
  await server.api("DELETE", `/pauses/${pause}`);
  const { started_at: startedAt = "" } = await story.ended(only);
  await story.ended(last, 60);
  const before = (await story.runs()).filter(
    ({ started_at }) => started_at && started_at < (startedAt ?? ""),
  );
  expect(before.length).toBeLessThan(2);
});

test("a factory executes no more runs at once than its share allows, and its next run is told so; shares of no factory are warned of", async () => {
  const { server, story } = await tenants("shares: { acme: { maxRuns: 1 }, nobody: { weight: 2 } }\n", {
    env: { MILLRACE_RUN_CONCURRENCY: "4" },
    files: FACTORY,
    agent: "setInterval(() => {}, 1_000);",
  });
  const create = async (factory: string) =>
    (await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it.", factory })).run_id;
  const [first, second, other] = [await create("acme"), await create("acme"), await create("other")];
  const isAtWork = async (id: string) => (await story.run(id)).state === "INPROGRESS";
  await waitFor(async () => (await isAtWork(first)) && (await isAtWork(other)));
  expect((await story.run(second)).waiting).toEqual({
    reason: "share",
    message: "1 of 1 run that the share of the factory acme allows is in progress.",
    place: 0,
  });
  await server.api("POST", `/agent/runs/${first}/cancel`);
  await waitFor(() => isAtWork(second));
  const warning = server
    .log()
    .split("\n")
    .find((line) => line.includes("names factories that do not exist"));
  expect(JSON.parse(warning ?? "{}")).toMatchObject({ shares: ["nobody"], factories: ["acme", "other"] });
});
