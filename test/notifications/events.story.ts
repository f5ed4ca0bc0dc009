import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { automationOn, TOKEN_WEBHOOK, withFactoryLines } from "../given/definition.ts";
import { aWaitingFamily } from "../given/family.ts";
import { writeFiles } from "../given/folder.ts";
import { LOOPBACK_ALLOWED, receiver, SIGNING_SECRET, verified } from "../given/outbound.ts";
import { waitFor } from "../given/server.ts";
import { AMPLE_BUDGETS } from "../given/serving.ts";

const TOKEN = "the-token-of-the-ci-webhook";

/** Asks, fails or ends well, as its prompt says. */
const AGENT = `
  import { readFileSync } from "node:fs";
  const { MILLRACE_PAYLOAD_FILE: payload } = process.env;
  const prompt = readFileSync(0, "utf8") + (payload ? readFileSync(payload, "utf8") : "");
  const { MILLRACE_API_URL: url, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  if (prompt.includes("PLEASE-ASK")) await fetch(url + "/api/v1/agent/runs/" + id + "/blocked",
    { method: "POST", headers, body: JSON.stringify({ message: "Which <one>?" }) });
  process.exitCode = prompt.includes("PLEASE-FAIL") ? 3 : 0;`;

/** A factory that has its events sent to a receiver. */
async function notifying(events: string[], block = "") {
  const target = await receiver();
  const notify = `{kind: webhook, url: "${target.url}", secretName: NOTIFY, events: [${events.join(", ")}]}`;
  const files = {
    ...withFactoryLines(`millrace: { repositories: optional, notify: [${notify}]${block} }\n`),
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/on-ci.md": automationOn(["ci"]),
  };
  const env = { ...LOOPBACK_ALLOWED, ...AMPLE_BUDGETS };
  const given = await serverWithAgent(AGENT, { files, env });
  await given.story.setSecret("CI_SECRET", TOKEN);
  await given.story.setSecret("NOTIFY", SIGNING_SECRET);
  await given.story.sync();
  return { ...given, target };
}

describe("notifications of a factory", () => {
  test("tell of a blocked run once, signed so that the library of Standard Webhooks verifies it", async () => {
    const { server, story, start, target } = await notifying(["run.blocked"]);
    const factory = await story.factory();
    const id = await start({ prompt: "PLEASE-ASK", factory: factory.name });
    const request = await waitFor(async () => target.requests[0]);
    expect(verified(request)).toEqual(request.json);
    expect(request.json).toMatchObject({
      type: "run.blocked",
      data: {
        summary: "A run is waiting for an answer (factory acme)",
        url: `${server.url}/runs/${id}`,
        factory: { name: "acme" },
        run: { id, state: "BLOCKED" },
        detail: "Which <one>?",
      },
    });
    expect(request.headers["webhook-id"]).toBe(`msg_${request.json.id}`);
    await waitFor(async () => (await story.run(id)).is_sandbox_running === false);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(target.requests).toHaveLength(1);
  });

  test("tell of the first failure of an automation, and again after a success", async () => {
    const { story, target } = await notifying(["run.failed"]);
    const url = await story.urlOf("ci");
    let number = 0;
    const run = async (what: string) => {
      number += 1;
      return story.endedRunOf(await story.accept(url, TOKEN, JSON.stringify({ what, number })));
    };
    await run("PLEASE-FAIL");
    await waitFor(async () => target.requests.length === 1);
    await run("PLEASE-FAIL");
    await run("go well");
    const last = await run("PLEASE-FAIL");
    await waitFor(async () => target.requests.length === 2);
    expect(target.requests[1]?.json).toMatchObject({
      type: "run.failed",
      data: { run: { id: last.run_id, state: "FAILED", automation: "on-ci" } },
    });
  });

  test("tell of a definition that is not applied once, and again after one that is", async () => {
    const { source, story, target } = await notifying(["factory.failed"]);
    const path = join(source, "automations", "bad.md");
    const write = async (text: string) => {
      writeFileSync(path, text);
      await story.sync();
    };
    await write("no front matter");
    await waitFor(async () => target.requests.length === 1);
    await write("still none");
    await write(automationOn(["ci"]));
    await write("none again");
    await waitFor(async () => target.requests.length === 2);
    expect(target.requests.map(({ json }) => json.type)).toEqual(["factory.failed", "factory.failed"]);
    expect(target.requests[0]?.json.data.detail).toContain("automations/bad.md");
  });

  test("tell of a webhook that lets nobody in, and again after it has let someone in", async () => {
    const { story, target } = await notifying(["webhook.refusing"]);
    const { url } = await story.webhook("ci");
    const refuse = async (count: number) => {
      for (let each = 0; each < count; each += 1) await story.deliver(url, "wrong", `{"n":${each}}`);
    };
    await refuse(20);
    await waitFor(async () => target.requests.length === 1);
    await refuse(5);
    await story.accept(url, TOKEN, "{}");
    await refuse(20);
    await waitFor(async () => target.requests.length === 2);
    expect(target.requests[1]?.json).toMatchObject({
      type: "webhook.refusing",
      data: { webhook: { name: "ci" }, factory: { name: "acme" } },
    });
  });

  test("tell of a budget that is used up once, however many runs wait for it", async () => {
    const { server, story, start, target } = await notifying(
      ["budget.reached"],
      ", budget: { runsPerDay: 1 }",
    );
    await story.ended(await start());
    const request = await waitFor(async () => target.requests[0]);
    expect(request.json).toMatchObject({
      type: "budget.reached",
      data: {
        summary: "The budget of factory acme is used up",
        url: `${server.url}/factories/acme`,
        factory: { name: "acme" },
        budget: { of: "factory", name: "acme", limit: "runsPerDay", most: 1 },
        detail: "The limit is 1 run in 24 hours (runsPerDay). Further runs wait.",
      },
    });
    for (const id of [await start(), await start()])
      await waitFor(async () => (await story.run(id)).waiting?.reason === "budget");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(target.requests).toHaveLength(1);
  });
});

test("a run that waits for other runs causes no notification, and one that fails does", async () => {
  const target = await receiver();
  const { wait, touch, resting, source, start, story, parent } = await aWaitingFamily(["one"], {
    env: LOOPBACK_ALLOWED,
  });
  const notify = `{kind: webhook, url: "${target.url}", secretName: NOTIFY, events: [run.blocked, run.failed]}`;
  await story.setSecret("NOTIFY", SIGNING_SECRET);
  writeFiles(source, withFactoryLines(`millrace: { repositories: optional, notify: [${notify}] }\n`));
  await story.sync();
  await wait();
  touch("exit");
  await resting();
  touch("one");
  expect(await story.ended(parent)).toMatchObject({ state: "SUCCEEDED" });
  // Changes are told in their order: what the wait had led to would have come before this.
  touch("start", JSON.stringify({ code: 3 }));
  const failing = await start({ prompt: "Parent." });
  expect(await story.ended(failing)).toMatchObject({ state: "FAILED" });
  const request = await waitFor(async () => target.requests[0]);
  expect(request.json).toMatchObject({ type: "run.failed", data: { run: { id: failing } } });
});
