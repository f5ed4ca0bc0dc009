import { describe, expect, test } from "vitest";
import {
  automationOn,
  automationWith,
  FACTORY,
  load,
  problemsOf,
  TOKEN_WEBHOOK,
} from "../given/definition.ts";
import type { Files } from "../given/folder.ts";

const FAILED = { build: { status: ["failed"] } };

/** A tree with an automation that listens for failed builds, and a test of it. */
function tested(test: string, automation = automationOn(["ci"], FAILED)): Files {
  return {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/report/automation.md": automation,
    "automations/report/tests/build.yaml": test,
  };
}

const PLACE = "automations/report/tests/build.yaml";

describe("a filter test next to an automation", () => {
  test("that expects what the filter does says nothing", async () => {
    expect(await problemsOf(tested("payload: { build: { status: failed } }\nfires: true\n"))).toEqual([]);
    expect(await problemsOf(tested("payload: { build: { status: passed } }\nfires: false\n"))).toEqual([]);
  });

  test("that expects a run which does not start is an error at its expectation, with the reason", async () => {
    const files = tested("description: Red builds.\npayload: { build: { status: passed } }\nfires: true\n");
    const { definition, problems } = await load(files);
    expect(definition).toBeUndefined();
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([
      {
        code: "FF_TEST_FAILED",
        path: PLACE,
        line: 3,
        column: 8,
        severity: "error",
        message:
          '"report" must fire for this test, but does not: build.status: expected one of "failed", found "passed"',
      },
    ]);
  });

  test("that expects silence where a run starts is an error too", async () => {
    const files = tested("payload: { build: { status: failed } }\nfires: false\n");
    expect(await problemsOf(files)).toEqual([`FF_TEST_FAILED ${PLACE}:2:8`]);
    const { problems } = await load(files);
    expect(problems[0]?.message).toContain("trigger 1 of automations/report/automation.md fires");
  });

  test("that names a webhook is run against the triggers that select it", async () => {
    const two = automationWith(`triggers:
  - { provider: webhook, event: received, millrace: { webhooks: [ci] }, filter: { payload: { a: [1] } } }
  - { provider: webhook, event: received, millrace: { webhooks: [other] }, filter: { payload: { a: [2] } } }`);
    const files = (test: string) => ({ ...tested(test, two), "webhooks/other.yaml": TOKEN_WEBHOOK });
    expect(await problemsOf(files("webhook: ci\npayload: { a: 2 }\nfires: false\n"))).toEqual([]);
    expect(await problemsOf(files("webhook: other\npayload: { a: 2 }\nfires: true\n"))).toEqual([]);
    expect(await problemsOf(files("payload: { a: 2 }\nfires: true\n"))).toEqual([]);
    expect(await problemsOf(files("webhook: ci\npayload: { a: 2 }\nfires: true\n"))).toHaveLength(1);
  });

  test("of a trigger of GitHub says which event it is about", async () => {
    const onPush = automationWith(
      `triggers: [{ provider: github, event: push, filter: { branches: [main] } }]`,
    );
    const files = (test: string) => tested(test, onPush);
    const push = "payload: { ref: refs/heads/main, commits: [] }\n";
    expect(await problemsOf(files(`event: push\n${push}fires: true\n`))).toEqual([]);
    expect(await problemsOf(files(`event: issues\n${push}fires: false\n`))).toEqual([]);
    const { problems } = await load(files(`${push}fires: true\n`));
    expect(problems[0]?.message).toContain("set event");
  });

  test("of a trigger of the factory holds the event, in its payload or beside it", async () => {
    const onEnd = automationWith(
      `triggers: [{ provider: factory, event: run_ended, filter: { agents: [boss], states: [FAILED], automations: { not_in: [report] } } }]`,
    );
    const files = (test: string) => tested(test, onEnd);
    const failed = "run: { agent: boss, state: FAILED }";
    expect(await problemsOf(files(`payload: { event: run_ended, ${failed} }\nfires: true\n`))).toEqual([]);
    expect(await problemsOf(files(`event: run_ended\npayload: { ${failed} }\nfires: true\n`))).toEqual([]);
    const others = [
      `payload: { event: run_blocked, ${failed} }\n`,
      "payload: { event: run_ended, run: { agent: boss, state: SUCCEEDED } }\n",
      "payload: { event: run_ended, run: { agent: boss, state: FAILED, automation: report } }\n",
      // A webhook brings no events of the factory.
      `webhook: ci\npayload: { event: run_ended, ${failed} }\n`,
    ];
    for (const other of others) expect(await problemsOf(files(`${other}fires: false\n`))).toEqual([]);
    const { problems } = await load(files(`${others[1]}fires: true\n`));
    expect(problems[0]?.message).toContain('states: expected one of "FAILED", found "SUCCEEDED"');
    const silent = await load(files(`payload: { ${failed} }\nfires: true\n`));
    expect(silent.problems[0]?.message).toContain("set event");
  });

  test("may hold any JSON value as its payload, null too", async () => {
    for (const payload of ["null", "[]", "7", '"text"', "[{ build: { status: failed } }]"]) {
      const fires = payload.startsWith("[{");
      expect(await problemsOf(tested(`payload: ${payload}\nfires: ${fires}\n`))).toEqual([]);
    }
  });

  test("is run for an automation that is disabled too: the switch is not the filter", async () => {
    const disabled = automationOn(["ci"], FAILED).replace("triggers:", "enabled: false\ntriggers:");
    expect(await problemsOf(tested("payload: {}\nfires: true\n", disabled))).toHaveLength(1);
  });

  test("is not run when its automation is broken, which is problem enough", async () => {
    const broken = automationOn(["ci"], { build: "failed" });
    expect(await problemsOf(tested("payload: {}\nfires: true\n", broken))).toEqual([
      expect.stringContaining("FF_INVALID_FILTER automations/report/automation.md"),
    ]);
  });

  test.each([
    ["that is no YAML", "x: ["],
    ["that misses what it expects", "payload: {}\n"],
    ["with a key that is none", "payload: {}\nfires: true\nfire: true\n"],
  ])("%s is not run, and says so without stopping the rest", async (_, text) => {
    const { definition, problems } = await load(tested(text));
    expect(definition).toBeDefined();
    expect(problems).toContainEqual(
      expect.objectContaining({
        path: PLACE,
        severity: "notice",
        message: expect.stringContaining("is not run as a test"),
      }),
    );
  });

  test("of an automation that does not exist is reported as a notice", async () => {
    const files = { ...FACTORY, "automations/gone/tests/a.yaml": "payload: {}\nfires: true\n" };
    const { definition, problems } = await load(files);
    expect(definition).toBeDefined();
    expect(problems).toContainEqual(
      expect.objectContaining({ path: "automations/gone/tests/a.yaml", severity: "notice" }),
    );
  });
});
