import { describe, expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationWith, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { following, onEnds } from "../../given/following.ts";
import { repositoryWith } from "../../given/repository.ts";
import { run, startServer, waitFor } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import { storyOf } from "../../given/story.ts";

/** Starts after the runs that no automation has started. */
const afterEnds = (rest = "") =>
  automationWith(
    `triggers: [{ provider: factory, event: run_ended, filter: { automations: { not_in: [after, moved] } } }]\n${rest}`,
  );
const MOVED = automationWith(
  "triggers: [{ provider: factory, event: work_item_stage_changed, filter: { stages: [REVIEW] } }]",
);

const stage = sharedByFile(async () => {
  const repository = repositoryWith(FACTORY);
  const without = repository.git("rev-parse", "HEAD");
  const server = await startServer({ sources: [repository.url] });
  const story = storyOf(server);
  await story.sync();
  repository.push({ "automations/after.md": afterEnds(), "automations/moved.md": MOVED });
  await story.sync();
  const startedBy = async (cause: string) =>
    (await story.runs()).filter(
      ({ trigger, rerun_of }) => trigger?.run_id === cause && rerun_of === undefined,
    );
  return {
    server,
    story,
    without,
    startedBy,
    /** Has a run end. @returns its id */
    async end() {
      const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it." });
      await story.ended(run_id);
      return run_id;
    },
    /** The run that the end of a run has started. */
    started: (cause: string) => waitFor(async () => (await startedBy(cause))[0]),
    async commit(automation: string) {
      repository.push({ "automations/after.md": automation });
      await story.sync();
    },
  };
});

describe("what holds an automation that events start", () => {
  test("is a pause: its run is made, and waits for the end of the pause", async () => {
    const { server, story, end, started } = stage();
    const { id } = await server.api<{ id: string }>("POST", "/pauses", { automation: "after" });
    const { run_id } = await started(await end());
    // What is queued after it has ended, so the queue has looked past it.
    await end();
    expect((await story.run(run_id)).state).toBe("QUEUED");
    await ask(server, "DELETE", `/pauses/${id}`);
    expect((await story.ended(run_id)).state).toBe("SUCCEEDED");
  });

  test("is its switch: what happens while it is disabled never starts it", async () => {
    const { end, started, startedBy, commit } = stage();
    await commit(afterEnds("enabled: false\n"));
    const meanwhile = await end();
    await commit(afterEnds());
    await started(await end());
    expect(await startedBy(meanwhile)).toEqual([]);
  });

  test("is a rollback to a revision without it, until a later one has it again", async () => {
    const { server, story, end, started, startedBy, without } = stage();
    await server.api("POST", "/factories/acme/rollback", { revision: without });
    const meanwhile = await end();
    await server.api("POST", "/factories/acme/resume");
    await story.sync();
    await started(await end());
    expect(await startedBy(meanwhile)).toEqual([]);
  });

  test("is not the suspension of its factory", async () => {
    const { server, end, started } = stage();
    await server.api("POST", "/factories/acme/suspend");
    await started(await end());
    await server.api("POST", "/factories/acme/resume");
  });
});

describe("a run that an event has started, run again", () => {
  test("gets the same event and stands where it stood, and no event starts it twice", async () => {
    const { server, story, end, started, startedBy } = stage();
    const cause = await end();
    const first = await started(cause);
    await story.ended(first.run_id);
    const again = await server.api<{ run_id: string }>("POST", `/agent/runs/${first.run_id}/run-again`);
    const run = await story.ended(again.run_id);
    expect(run).toMatchObject({
      rerun_of: first.run_id,
      parent_run_id: cause,
      trigger: { event: "run_ended", run_id: cause },
      prompt: first.prompt,
      title: first.title,
    });
    const payload = (id: string) => story.attachment(id, "event-payload.json");
    expect(await payload(run.run_id)).toEqual(await payload(first.run_id));
    await started(await end());
    expect(await startedBy(cause)).toHaveLength(1);
  });

  test("belongs to the task that has moved", async () => {
    const { server, story } = stage();
    const { uid } = await story.factory();
    const dispatched = await server.api<{ run_id: string }>("POST", `/factory/${uid}/runs`, {
      prompt: "Fix.",
    });
    const { task_uid: task } = await story.run(dispatched.run_id);
    await server.api("PATCH", `/factory/${uid}/tasks/${task}`, { stage: "REVIEW" });
    const first = await waitFor(async () =>
      (await story.runs()).find(({ trigger }) => trigger?.task_uid === task),
    );
    await story.ended(first.run_id);
    const { run_id } = await server.api<{ run_id: string }>("POST", `/agent/runs/${first.run_id}/run-again`);
    expect(await story.run(run_id)).toMatchObject({ task_uid: task, trigger: { task_uid: task } });
  });
});

/** Fails, and starts again after each of its failures. */
const AGAIN = automationWith(`triggers:
  - { provider: webhook, event: received, millrace: { webhooks: [ci] } }
  - { provider: factory, event: run_ended, filter: { automations: [again], states: [FAILED] } }
`);
const FILES = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/again.md": AGAIN };

interface Finding {
  check: string;
  status: string;
  message: string;
  remedy?: string;
}

test("an automation that starts itself ends after three runs, which the last run, the automation, the metrics and the doctor say", async () => {
  const { server, story } = await serving(FILES, { CI_SECRET: "the-token" }, { agent: "process.exit(3)" });
  const examined = async () => {
    const env = { MILLRACE_SANDBOX: "none", MILLRACE_AGENT_COMMAND: process.execPath };
    const { code, printed } = await run(["doctor", "--json", "--data-dir", server.dataDir], env);
    const { findings } = JSON.parse(printed) as { findings: Finding[] };
    return { code, found: findings.filter(({ check }) => /^(triggers|automation) ?/.test(check)) };
  };
  expect((await examined()).found).toMatchObject([{ check: "triggers", status: "ok" }]);

  await story.accept(await story.urlOf("ci"), "the-token", "{}");
  const refused = await waitFor(async () => {
    const [newest] = await story.runs();
    const timeline = newest ? await story.timeline(newest.run_id) : [];
    return timeline.find(({ event_type }) => event_type === "trigger_refused");
  });
  expect(refused.payload).toMatchObject({ automation: "again", reason: expect.stringContaining("3 runs") });
  expect(await story.runs()).toHaveLength(3);

  const { automations } = await server.api<{ automations: object[] }>("GET", "/activity/automations");
  expect(automations).toMatchObject([{ name: "again", starts_refused: 1 }]);
  expect(await (await server.metrics()).text()).toContain('millrace_triggers_refused_total{reason="loop"} 1');
  const { code, found } = await examined();
  expect([code, found]).toMatchObject([
    0,
    [
      {
        check: "automation again of acme",
        status: "warning",
        message: expect.stringContaining("1 event of the last 24 hours did not start it"),
        remedy: expect.stringContaining("trigger_refused"),
      },
    ],
  ]);
});

test("of 1,000 runs that end in a burst, each starts an automation once, also when two servers follow them", async () => {
  const world = await following();
  await world.serve(onEnds({ watch: "{ automations: { not_in: [watch] } }" }));
  const followers = [world.start(), world.start()];
  for (const { look } of followers) await look();
  for (let each = 0; each < 1_000; each += 1) await world.end();
  await Promise.all(followers.map(({ look }) => look()));
  const causes = (await world.started()).map(({ ancestors: [cause] }) => cause);
  expect(causes).toHaveLength(1_000);
  expect(new Set(causes).size).toBe(1_000);
});
