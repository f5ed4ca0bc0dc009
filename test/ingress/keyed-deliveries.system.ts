import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Models } from "../../src/client/typed-paths.ts";
import { serverWithAgent } from "../given/agent.ts";
import { automationOn, TOKEN_WEBHOOK, withMillrace } from "../given/definition.ts";
import { temporaryFolder, writeFiles } from "../given/folder.ts";
import { waitFor } from "../given/server.ts";

const TOKEN = "the-token";

/** An agent that writes down what it finds, and ends when there is a file for that. */
function noticingAgent() {
  const folder = temporaryFolder();
  const code = `
    import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
    const id = process.env.MILLRACE_RUN_ID;
    const read = (name) => (existsSync(name) ? readFileSync(name, "utf8") : "");
    const turns = readdirSync(${JSON.stringify(folder)}).filter((name) => name.startsWith(id)).length;
    writeFileSync(${JSON.stringify(folder)} + "/" + id + "." + turns, JSON.stringify({
      prompt: read("prompt.md"),
      newest: read("event-payload.json"),
      all: existsSync("event-payloads") ? readdirSync("event-payloads").sort().map((name) => read("event-payloads/" + name)) : [],
    }));
    while (!existsSync(${JSON.stringify(folder)} + "/go")) await new Promise((resolve) => setTimeout(resolve, 20));`;
  return {
    code,
    go: () => writeFiles(folder, { go: "" }),
    /** What it has found in a turn of a run, from 0. */
    found: (id: string, turn = 0) =>
      waitFor(() => {
        try {
          return JSON.parse(readFileSync(join(folder, `${id}.${turn}`), "utf8")) as {
            prompt: string;
            newest: string;
            all: string[];
          };
        } catch {
          return undefined;
        }
      }),
  };
}

const keyed = (block: string) => withMillrace(automationOn(["ci"]), block);

async function keyedServer(block: string) {
  const agent = noticingAgent();
  const files = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": keyed(block) };
  const { server, story, source } = await serverWithAgent(agent.code, { files });
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const { url } = await story.webhook("ci");
  const send = async (body: object | string) =>
    story.accept(url, TOKEN, typeof body === "string" ? body : JSON.stringify(body));
  const runOf = async (id: string) => (await story.delivery(id)).run_ids[0] ?? "";
  const dispositionOf = async (id: string) => {
    const path = `/factories/acme/deliveries/${id}/explain`;
    const { automations } = await server.api<Models["DeliveryExplanation"]>("GET", path);
    return automations[0]?.disposition;
  };
  return { agent, server, story, source, send, runOf, dispositionOf };
}

describe("deliveries with one key", () => {
  test("become one run that has the bodies of all, and that names them", async () => {
    const block =
      '{ concurrency: { key: "{{pr}}", whileRunning: join }, debounce: { quiet: 1h }, title: "Review {{n}}" }';
    const { agent, server, story, source, send, runOf, dispositionOf } = await keyedServer(block);
    const ids = [await send({ pr: 7, n: 1 }), await send({ pr: 7, n: 2 }), await send({ pr: 7, n: 3 })];
    const other = await send({ pr: 8, n: 1 });
    const [first = "", second = "", third = ""] = ids;
    const run = await runOf(first);
    expect([await runOf(second), await runOf(third)]).toEqual([run, run]);
    expect(await dispositionOf(first)).toMatchObject({ kind: "waiting", run_id: run, key: "7" });
    const waiting = await story.run(run);
    expect([waiting.state, waiting.title, waiting.waiting?.reason]).toEqual(["QUEUED", "Review 3", "window"]);

    // Another window ends the open ones.
    writeFiles(source, { "automations/a.md": keyed(block).replace("quiet: 1h", "quiet: 2h") });
    await story.sync();
    const { prompt, newest, all } = await agent.found(run);
    expect(newest).toBe('{"pr":7,"n":3}');
    expect(all).toEqual(['{"pr":7,"n":1}', '{"pr":7,"n":2}', '{"pr":7,"n":3}']);
    expect(prompt).toContain(`This run was started by the delivery ${third} `);
    expect(prompt).toContain(
      "This run is about 3 deliveries. Their JSON bodies are these files, oldest first",
    );
    for (const [n, id] of ids.entries())
      expect(prompt).toContain(`\n- event-payloads/00000${n + 1}-${id}.json`);
    expect(await dispositionOf(first)).toMatchObject({ kind: "started", run_id: run });
    expect(await dispositionOf(second)).toMatchObject({
      kind: "joined",
      run_id: run,
      reason: "A run with the key 7 was waiting: the delivery became part of it.",
    });
    const { deliveries } = await server.api<Models["RunDeliveries"]>("GET", `/agent/runs/${run}/deliveries`);
    expect(deliveries.map(({ delivery_id, kind }) => [delivery_id, kind])).toEqual([
      [first, "started"],
      [second, "joined"],
      [third, "joined"],
    ]);
    expect(await runOf(other)).not.toBe(run);
    agent.go();
    expect((await story.ended(run)).state).toBe("SUCCEEDED");
  });

  test("are turns of one run with continue, which finds each body in its workspace", async () => {
    const { agent, story, send, runOf, dispositionOf } = await keyedServer(
      '{ concurrency: { key: "{{thread}}", whileRunning: continue } }',
    );
    agent.go();
    const first = await send({ thread: "t", n: 1 });
    const run = await runOf(first);
    await story.ended(run);
    const second = await send('{"thread":"t","n":2.0}');
    expect(await runOf(second)).toBe(run);
    expect(await dispositionOf(second)).toMatchObject({ kind: "continued", run_id: run, key: "t" });
    const { prompt, newest, all } = await agent.found(run, 1);
    expect(prompt).toContain(`[millrace: The delivery ${second} to the webhook "ci" continues this run.`);
    expect(prompt).toContain('{"thread":"t","n":2.0}');
    expect(newest).toBe('{"thread":"t","n":2.0}');
    expect(all).toEqual(['{"thread":"t","n":1}', '{"thread":"t","n":2.0}']);
  });

  test("replace a run that is at work, whose agent is ended first", async () => {
    const { agent, story, send, runOf, dispositionOf } = await keyedServer(
      '{ concurrency: { key: "{{pr}}", whileRunning: replace } }',
    );
    const run = await runOf(await send({ pr: 7, n: 1 }));
    await agent.found(run);
    const second = await send({ pr: 7, n: 2 });
    expect(await dispositionOf(second)).toMatchObject({ kind: "replaced", replaced_run_ids: [run] });
    expect((await story.ended(run)).state).toBe("CANCELLED");
    const next = await runOf(second);
    await agent.found(next);
    agent.go();
    expect((await story.ended(next)).state).toBe("SUCCEEDED");
  });

  test("each start a run of their own where the payload has no value for the key", async () => {
    const { agent, send, runOf, dispositionOf } = await keyedServer(
      '{ concurrency: { key: "{{pr}} {{n}} {{head.ref}}" } }',
    );
    agent.go();
    const [a, b] = [await send({ n: 1 }), await send({ n: 2 })];
    expect(await runOf(a)).not.toBe(await runOf(b));
    expect(await dispositionOf(b)).toMatchObject({
      ...{ kind: "started", key: null },
      reason:
        "The payload has no value for {{pr}} and {{head.ref}} of the concurrency key: the delivery started a run of its own.",
    });
  });

  test("that are the same are duplicates, and join nothing; one that is redelivered does", async () => {
    const { agent, server, send, runOf } = await keyedServer(
      '{ concurrency: { key: "{{pr}}", whileRunning: join }, debounce: { quiet: 1h } }',
    );
    const first = await send({ pr: 7 });
    expect(await send({ pr: 7 })).toBe(first);
    const run = await runOf(first);
    const listed = () => server.api<Models["RunDeliveries"]>("GET", `/agent/runs/${run}/deliveries`);
    expect((await listed()).deliveries).toHaveLength(1);
    const again = await server.api<Models["Delivery"]>(
      "POST",
      `/factories/acme/deliveries/${first}/redeliver`,
    );
    expect(again.dispositions).toMatchObject([{ kind: "joined", run_id: run, key: "7" }]);
    expect((await listed()).deliveries).toHaveLength(2);
    agent.go();
  });

  test.each([
    ["disabled", (text: string) => text.replace("---\n", "---\nenabled: false\n")],
    ["given another window", (text: string) => text.replace("quiet: 1h", "quiet: 2h")],
    ["given none", (text: string) => text.replace(", debounce: { quiet: 1h }", "")],
  ])("start at once when their automation is %s", async (_, change) => {
    const block = '{ concurrency: { key: "{{pr}}" }, debounce: { quiet: 1h } }';
    const { agent, story, source, send, runOf } = await keyedServer(block);
    agent.go();
    const run = await runOf(await send({ pr: 7 }));
    expect((await story.run(run)).state).toBe("QUEUED");
    writeFiles(source, { "automations/a.md": change(keyed(block)) });
    await story.sync();
    expect((await story.ended(run)).state).toBe("SUCCEEDED");
  });
});
