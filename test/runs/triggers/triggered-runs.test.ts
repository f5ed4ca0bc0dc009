import { expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, automationWith, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { waitFor } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

const on = (event: string, filter: string, rest = "") =>
  automationWith(`triggers:\n  - { provider: factory, event: ${event}, filter: ${filter} }\n${rest}`);

const FILES = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/build.md": automationOn(["ci"]),
  "automations/failed.md": on(
    "run_ended",
    "{ automations: [build], states: [FAILED] }",
    'millrace: { title: "After {{run.state}}" }\n',
  ),
  "automations/ended.md": on("run_ended", "{ automations: [build] }"),
  "automations/off.md": on("run_ended", "{ automations: [build] }", "enabled: false\n"),
  "automations/asked.md": on("run_blocked", "{ automations: [build] }"),
};

/** Does what the payload of its delivery says; what an event starts ends well. */
const AGENT = `import { readFileSync } from "node:fs";
process.exit(JSON.parse(readFileSync("event-payload.json", "utf8")).exit ?? 0);`;

const stage = sharedByFile(() => serving(FILES, { CI_SECRET: "the-token" }, { agent: AGENT }));

/** Has the build run. @returns its run, and those that its end has started, by automation */
async function build(payload: object, starts: number) {
  const { story } = stage();
  const delivery = await story.accept(await story.urlOf("ci"), "the-token", JSON.stringify(payload));
  const run = await story.endedRunOf(delivery);
  const started = await waitFor(async () => {
    const found = (await story.runs()).filter(({ parent_run_id }) => parent_run_id === run.run_id);
    return found.length >= starts ? found : undefined;
  });
  return { run, started: new Map(started.map((each) => [each.agent_config.name, each])) };
}

test("the end of a run starts the automations whose triggers match it, each once", async () => {
  const { story } = stage();
  const { run, started } = await build({}, 1);
  expect([...started.keys()]).toEqual(["ended"]);
  const after = await story.ended(started.get("ended")?.run_id ?? "");
  expect(after).toMatchObject({
    state: "SUCCEEDED",
    source: "ORCHESTRATION",
    root_run_id: run.run_id,
    trigger: { event: "run_ended", run_id: run.run_id },
    creator: { display_name: "boss" },
  });
  expect(after.prompt).toMatch(
    /^Do something about it\.\n\n---\nThis run was started by the event run_ended/,
  );
});

test("a filter on states tells ends apart, and the run gets the event and a title from it", async () => {
  const { story } = stage();
  const { run, started } = await build({ exit: 3 }, 2);
  expect([...started.keys()].toSorted()).toEqual(["ended", "failed"]);
  const failed = started.get("failed");
  expect(failed?.title).toBe("After FAILED");
  const payload = JSON.parse((await story.attachment(failed?.run_id ?? "", "event-payload.json")).toString());
  expect(payload).toMatchObject({
    event: "run_ended",
    factory: { name: "acme" },
    run: {
      id: run.run_id,
      agent: "boss",
      automation: "build",
      state: "FAILED",
      turn: 1,
      answer: null,
      status_message: { error_code: "agent_process_failed" },
      parent_run_id: null,
      artifacts: [],
    },
  });
});
