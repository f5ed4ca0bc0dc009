import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "svix";
import { describe, expect, test } from "vitest";
import { OUTBOUND_EVENTS } from "../../src/config/outbound-events.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { automationOn } from "../given/definition.ts";
import {
  CI_TOKEN,
  outboundFile,
  receiver,
  SIGNING_SECRET,
  serverThatPosts,
  verified,
} from "../given/outbound.ts";
import { onSqlite } from "../given/postgres.ts";
import { waitFor } from "../given/server.ts";

describe("an outbound webhook", () => {
  test("gets the events of a run in the shape of the API, signed so that the libraries of Standard Webhooks and of Svix verify them", async () => {
    const target = await receiver();
    const { story, server, factory, startHere } = await serverThatPosts({
      ops: outboundFile(
        target.url,
        ["run.created", "run.started", "run.blocked", "run.ended"],
        "ordered: true",
      ),
    });
    const id = await startHere("PLEASE-FAIL");
    await story.ended(id);
    await waitFor(async () => target.requests.length === 3);
    expect(target.requests.map(({ json }) => json.type)).toEqual(["run.created", "run.started", "run.ended"]);
    for (const request of target.requests) {
      expect(verified(request)).toEqual(request.json);
      expect(
        new Webhook(SIGNING_SECRET).verify(request.body, request.headers as Record<string, string>),
      ).toEqual(request.json);
    }
    const { uid } = await story.factory();
    const ended = target.requests.at(-1)?.json;
    expect(ended.factory).toEqual({ uid, name: factory });
    expect(ended.data).toEqual(await server.api("GET", `/agent/runs/${id}`));
    const asking = await startHere("PLEASE-ASK Which one?");
    const blocked = await waitFor(async () =>
      target.requests.find(({ json }) => json.type === "run.blocked"),
    );
    expect(blocked.json.data).toMatchObject({ run_id: asking, question: { text: " Which one?" } });
  });

  test("with a filter on answers gets the ends of runs that have such an answer", async () => {
    const target = await receiver();
    const filter = "filter: { data: { answer_json: { verdict: [fail] } } }";
    const { story, start, factory } = await serverThatPosts(
      { ops: outboundFile(target.url, ["run.ended"], filter) },
      {
        agent:
          'import { readFileSync } from "node:fs"; console.log(readFileSync(0, "utf8").match(/SAY (.*)/)[1]);',
      },
    );
    const say = async (verdict: string) => {
      const prompt = `SAY ${JSON.stringify({ verdict })}`;
      return story.ended(await start({ prompt, factory, config: { output_schema: { type: "object" } } }));
    };
    await say("pass");
    const failed = await say("fail");
    await say("pass");
    const last = await say("fail");
    await waitFor(async () => target.requests.length === 2);
    expect(target.requests.map(({ json }) => [json.data.run_id, json.data.answer_json])).toEqual(
      [failed, last].map(({ run_id }) => [run_id, { verdict: "fail" }]),
    );
  });

  test("gets refused deliveries, moved tasks, used-up budgets and the fate of definitions", async () => {
    const target = await receiver();
    const rest = OUTBOUND_EVENTS.filter((event) => !event.startsWith("run."));
    const { story, server, source, factory, startHere } = await serverThatPosts(
      { ops: outboundFile(target.url, rest) },
      { block: ", budget: {runsPerDay: 1}" },
    );
    const got = (type: string) => waitFor(async () => target.requests.find(({ json }) => json.type === type));
    await story.deliver(await story.urlOf("ci"), "wrong", "{}");
    expect((await got("delivery.refused")).json.data).toMatchObject({
      outcome: "Rejected (auth)",
      webhook: "ci",
    });

    const { uid } = await story.factory();
    const run = await startHere("Do it.");
    await story.ended(run);
    const task = await server.api<{ uid: string }>("POST", `/factory/${uid}/tasks`, {
      title: "A task",
      conversation_id: run,
    });
    const moved = (await got("task.moved")).json;
    expect(moved).toMatchObject({
      details: { from: null, to: "TRIAGE" },
      data: { uid: task.uid, stage: "TRIAGE" },
    });

    await startHere("Do it again.");
    expect((await got("budget.reached")).json).toMatchObject({
      details: { of: "factory", name: factory, limit: "runsPerDay" },
      data: { runsPerDay: 1 },
    });

    writeFileSync(join(source, "automations/new.md"), "---\nno front matter");
    await story.sync();
    expect((await got("definition.failed")).json.data).toMatchObject({
      name: factory,
      sync: { status: "failed" },
    });
    rmSync(join(source, "automations/new.md"));
    writeFileSync(
      join(source, "automations/on-ci.md"),
      automationOn(["ci"], undefined, "Do it differently."),
    );
    await story.sync();
    const { sync } = await story.factory();
    const revision = sync.applied_revision;
    const applied = await waitFor(async () =>
      target.requests.find(
        ({ json }) => json.type === "definition.applied" && json.details.revision === revision,
      ),
    );
    expect(applied.json.data).toMatchObject({
      sync: { status: "synced", applied_revision: revision },
      budget: { runsPerDay: 1 },
    });
  });

  onSqlite("gets definition.drifted when a start puts right what is stored", async () => {
    const target = await receiver();
    const outbound = { ops: outboundFile(target.url, ["definition.drifted", "definition.applied"]) };
    const first = await serverThatPosts(outbound, { sharesProcess: false });
    await first.server.stop();
    const connection = openSqlite(join(first.server.dataDir, "millrace.db"));
    await connection.run(
      "UPDATE resources SET deleted_at = '2026-11-21T10:00:00.000Z' WHERE kind = 'automation'",
    );
    connection.close();
    const before = target.requests.length;
    await serverThatPosts(outbound, { sharesProcess: false, before: first });
    const drifted = await waitFor(async () => target.requests[before]?.json);
    expect(drifted).toMatchObject({
      type: "definition.drifted",
      data: { name: "acme", sync: { status: "synced" } },
    });
  });

  test("gets only what its filter matches, and nothing while it is disabled", async () => {
    const [failed, disabled] = [await receiver(), await receiver()];
    const { story, startHere } = await serverThatPosts({
      failed: outboundFile(failed.url, ["run.ended"], "filter: {data: {state: [FAILED]}}"),
      disabled: outboundFile(disabled.url, ["run.ended"], "enabled: false"),
    });
    await story.ended(await startHere("Do it."));
    const id = await startHere("PLEASE-FAIL");
    await story.ended(id);
    await waitFor(async () => failed.requests.length === 1);
    expect(failed.requests[0]?.json.data.run_id).toBe(id);
    expect(disabled.requests).toEqual([]);
  });

  test("gets the change of the definition that has created it, and every event after that", async () => {
    const { story, source } = await serverThatPosts({});
    const ci = await story.urlOf("ci");
    mkdirSync(join(source, "outbound"), { recursive: true });
    for (let round = 0; round < 5; round += 1) {
      const target = await receiver();
      writeFileSync(
        join(source, "outbound/ops.yaml"),
        outboundFile(target.url, ["definition.applied", "run.created"]),
      );
      await story.sync();
      const id = await story.accept(ci, CI_TOKEN, JSON.stringify({ round }));
      const { run_id } = await story.endedRunOf(id);
      const { sync } = await story.factory();
      const told = () =>
        target.requests.map(({ json: { type, details, data } }) =>
          type === "run.created" ? data.run_id : details?.revision,
        );
      await waitFor(async () => told().includes(run_id));
      // What happened a moment before, such as the change that took its predecessor away, may come too.
      expect(told().slice(-2)).toEqual([sync.applied_revision, run_id]);
      rmSync(join(source, "outbound/ops.yaml"));
      await story.sync();
    }
  });

  test("gets a large resource without its largest fields, which the body names", async () => {
    const target = await receiver();
    const { startHere } = await serverThatPosts({ ops: outboundFile(target.url, ["run.created"]) });
    await startHere(`PLEASE-ASK ${"x".repeat(300_000)}`);
    const request = await waitFor(async () => target.requests[0]);
    expect(request.json.left_out).toEqual(expect.arrayContaining(["prompt", "submitted_prompt"]));
    expect(request.json.data).toMatchObject({ state: expect.any(String) });
    expect(request.body.length).toBeLessThan(256 * 1024);
  });
});
