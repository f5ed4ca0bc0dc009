import { expect, test } from "vitest";
import { automationWith, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { run, waitFor } from "../given/server.ts";
import { serving } from "../given/serving.ts";

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
