import { describe, expect, test } from "vitest";
import {
  automationOn,
  automationWith,
  FACTORY,
  load,
  signatureWebhook,
  TOKEN_WEBHOOK,
  withMillrace,
} from "../given/definition.ts";

const keyed = (block: string, triggers?: string) =>
  withMillrace(
    triggers === undefined ? automationOn(["ci"]) : automationWith(`triggers: [${triggers}]\n`),
    block,
  );

async function loaded(block: string, files: Record<string, string> = {}, triggers?: string) {
  return load({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a/automation.md": keyed(block, triggers),
    ...files,
  });
}

const told = async (...args: Parameters<typeof loaded>) =>
  (await loaded(...args)).problems.map(({ severity, message }) => `${severity}: ${message}`);

describe("what an automation says of deliveries that belong together", () => {
  test("has a default for everything but the key", async () => {
    const { definition } = await loaded('{ concurrency: { key: "{{pr}}" }, debounce: { quiet: 30s } }');
    expect(definition?.automations[0]).toMatchObject({
      keyed: { key: "{{pr}}", whileRunning: "queue", forgetAfterMs: 86_400_000, maxTurns: 50 },
      debounce: { quietMs: 30_000, longestMs: 300_000 },
    });
    expect(definition?.automations[0]).not.toHaveProperty("concurrency");
  });

  test("may be a number of runs as before", async () => {
    const { definition } = await loaded("{ concurrency: 2 }");
    expect(definition?.automations[0]).toMatchObject({ concurrency: 2 });
    expect(definition?.automations[0]).not.toHaveProperty("keyed");
  });

  test.each([
    ["a key without a field", '{ concurrency: { key: "all" } }', "names no payload field"],
    ["a key that is no template", '{ concurrency: { key: "{{a" } }', "is not closed"],
    ["a policy that there is not", '{ concurrency: { key: "{{a}}", whileRunning: drop } }', "whileRunning"],
    ["no key", "{ concurrency: { whileRunning: join } }", "key"],
    [
      "a quiet time of less than a second",
      "{ debounce: { quiet: 100ms } }",
      "quiet: 100ms is out of range: expected 1s to 24h",
    ],
    [
      "a window that is shorter than its quiet time",
      "{ debounce: { quiet: 1m, longest: 30s } }",
      "at least quiet (1m)",
    ],
    ["a window of two days", "{ debounce: { quiet: 1m, longest: 2d } }", "at most 24h"],
    ["a memory of a year", '{ concurrency: { key: "{{a}}", forgetAfter: 365d } }', "expected 1s to 90d"],
    ["no turn at all", '{ concurrency: { key: "{{a}}", maxTurns: 0 } }', "maxTurns"],
  ])("cannot be %s", async (_, block, expected) => {
    const errors = (await told(block)).filter((text) => text.startsWith("error"));
    expect(errors.join()).toContain(expected);
  });

  test("warns of a {{thread}} that no trigger has", async () => {
    const block = '{ concurrency: { key: "{{thread}}", whileRunning: continue } }';
    expect((await told(block)).join()).toContain("warning: key: {{thread}} stands for the conversation");
    const signed = { "webhooks/ci.yaml": signatureWebhook("slack", "S") };
    expect(await told(block, signed)).toEqual([]);
    expect(await told(block, signed, "{ provider: slack, event: app_mention }")).toEqual([]);
  });

  test("warns of a tested delivery that has no value for the key", async () => {
    const files = {
      "automations/a/tests/has.yaml": "payload: { pr: 7 }\nfires: true\n",
      "automations/a/tests/lacks.yaml": "payload: { issue: 7 }\nfires: true\n",
    };
    const [warning, ...others] = (await loaded('{ concurrency: { key: "{{pr}}" } }', files)).problems;
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ severity: "warning", path: "automations/a/tests/lacks.yaml" });
    expect(warning?.message).toBe(
      'the payload has no value for the key {{pr}} of "a", so this delivery starts a run of its own',
    );
  });
});

describe("a test of several deliveries", () => {
  const block =
    '{ concurrency: { key: "{{pr}}", whileRunning: join }, debounce: { quiet: 30s, longest: 5m } }';
  const sequence = (runs: string, extra = "") => ({
    "automations/a/tests/burst.yaml": `deliveries:
  - { payload: { pr: 7 } }
  - { payload: { pr: 8 }, webhook: ci, at: 10s }
  - { payload: { pr: 7 }, at: 20s }
  - { payload: { pr: 7 }, at: 60s }
runs: ${runs}
${extra}`,
  });

  test("passes if these are the runs that they make", async () => {
    expect(await told(block, sequence("[[1, 3], [2], [4]]"))).toEqual([]);
    expect(await told(block, sequence("[[1, 3], [2], [4]]", "runsTake: 10m\n"))).toEqual([]);
  });

  test("says which runs they make if they make others", async () => {
    expect(await told(block, sequence("[[1], [2], [3], [4]]"))).toEqual([
      'error: the deliveries of this test make the runs [[1,3],[2],[4]] of "a", not [[1],[2],[3],[4]]',
    ]);
  });

  test("counts only deliveries that fire the automation, by their webhook and their event", async () => {
    const files = {
      "webhooks/gh.yaml": signatureWebhook("github", "S"),
      "automations/a/tests/burst.yaml": `deliveries:
  - { payload: { action: opened, pull_request: { number: 7 }, repository: { full_name: acme/shop } }, event: pull_request }
  - { payload: { action: opened, pull_request: { number: 7 }, repository: { full_name: acme/shop } }, event: ping }
  - { payload: {}, webhook: gh }
runs: [[1]]
`,
    };
    const triggers = "{ provider: github, event: pull_request_opened }";
    expect(await told('{ concurrency: { key: "{{thread}}" } }', files, triggers)).toEqual([]);
  });

  test("is of deliveries in their order", async () => {
    const files = {
      "automations/a/tests/burst.yaml":
        "deliveries: [{ payload: {}, at: 9s }, { payload: {}, at: 1s }]\nruns: []\n",
    };
    expect((await told(block, files)).join()).toContain("at: delivery 2 comes before the one above it");
  });

  test("is either that or a test of one delivery", async () => {
    const files = {
      "automations/a/tests/both.yaml": "payload: {}\nfires: true\ndeliveries: [{ payload: {} }]\nruns: []\n",
    };
    expect(await told(block, files)).toEqual([
      "notice: is not run as a test: the document: specify either payload and fires, or deliveries and runs",
    ]);
  });
});
