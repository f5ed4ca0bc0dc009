import { describe, expect, test } from "vitest";
import { workerHostsAreKnown } from "../../src/definitions/rules/runner-rules.ts";
import { runnersFitTheHost } from "../../src/definitions/runner-host.ts";
import { canonicalWorkerHost, workerHostProblem } from "../../src/definitions/worker-host.ts";
import { automationWith, FACTORY, load, problemsOf } from "../given/definition.ts";
import type { Files } from "../given/folder.ts";

const TRIGGERS = "triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: '@daily' } }]";

/** A tree whose defaults, foreman, helper and automation of the helper say where they execute. */
function hosted(of: { defaults?: string; boss?: string; helper?: string; automation?: string }): Files {
  const { defaults = "", boss = "", helper = "", automation = "" } = of;
  const execution = `agentDefaults: { harness: { type: claude, model: m }${defaults && `, ${defaults}`} }`;
  return {
    "factory.yaml": String(FACTORY["factory.yaml"]).replace(/^agentDefaults:.*$/m, execution),
    "agents/boss/agent.md": `---\nagentType: FOREMAN\n${boss}\n---\n`,
    "agents/helper/agent.md": `---\n${helper}\n---\n`,
    "automations/a/automation.md": automationWith(`${TRIGGERS}\nagent: helper\n${automation}`),
  };
}

describe("the form of a worker host", () => {
  test.each(["", "local", "gpu", "Pool-1.eu_b", "labels:gpu", "labels:gpu,eu", "labels: GPU , eu"])(
    "%j is valid",
    (host) => {
      expect(workerHostProblem(host)).toBeUndefined();
    },
  );

  test.each([
    ["a b", "expected the name of a worker"],
    ["-a", "expected the name of a worker"],
    ["a".repeat(64), "at most 63 characters"],
    ["gpu,eu", "labels:a,b"],
    ["labels:", "empty label"],
    ["labels:a,,b", "empty label"],
    ["labels:a/b", '"a/b"'],
    [`labels:${Array.from({ length: 33 }, (_, index) => `l${index}`).join(",")}`, "at most 32"],
  ])("%j is refused, and the message says what was expected", (host, message) => {
    expect(workerHostProblem(host)).toContain(message);
  });

  test("is the same for labels in any order, and empty for this server", () => {
    expect(canonicalWorkerHost("labels:gpu,EU")).toBe("labels:eu,gpu");
    expect(["warp", "local", "millrace", "", null, undefined].map(canonicalWorkerHost)).toEqual(
      Array(6).fill(""),
    );
  });

  test("is checked wherever a definition has one", async () => {
    const files = hosted({
      defaults: "workerHost: a b",
      helper: "workerHost: 'labels:'",
      automation: "workerHost: ok",
    });
    expect(await problemsOf(files)).toEqual([
      expect.stringMatching(/^FF_INVALID_VALUE agents\/helper\/agent.md:2:13$/),
      expect.stringMatching(/^FF_INVALID_VALUE factory.yaml:/),
    ]);
  });
});

describe("the worker host of runs", () => {
  test.each([
    ["of the factory", { defaults: "workerHost: f" }, ["f", "f"]],
    ["of the agent before that", { defaults: "workerHost: f", helper: "workerHost: h" }, ["h", "h"]],
    ["of the automation before both", { helper: "workerHost: h", automation: "workerHost: a" }, ["h", "a"]],
    [
      "cleared by null or an empty text",
      { defaults: "workerHost: f", helper: "workerHost: ''" },
      [undefined, undefined],
    ],
  ])(
    "is what the agent, its automation or the factory says last: %s",
    async (_, of, [helper, automation]) => {
      const { definition } = await load(hosted(of));
      const agent = definition?.agents.find(({ name }) => name === "helper");
      expect(agent?.execution.workerHost).toBe(helper);
      expect(definition?.automations[0]?.execution.workerHost).toBe(automation);
    },
  );

  test("has an effect, so there is no notice", async () => {
    const { problems } = await load(hosted({ defaults: "workerHost: f" }));
    expect(
      problems.map(({ message }) => message).filter((message) => message.includes("workerHost")),
    ).toEqual([]);
  });
});

describe("a worker host that no worker has ever had", () => {
  const warned = async (of: Parameters<typeof hosted>[0], ...workers: { name: string; labels: string[] }[]) =>
    workerHostsAreKnown(await load(hosted(of)), workers).map(
      ({ path, line, severity }) => `${severity} ${path}:${line}`,
    );

  test("is warned of once, where it is written", async () => {
    const of = { defaults: "workerHost: pool", automation: "workerHost: 'labels:gpu,eu'" };
    const line =
      String(hosted(of)["factory.yaml"])
        .split("\n")
        .findIndex((text) => text.startsWith("agentDefaults")) + 1;
    expect(await warned(of)).toEqual([
      `warning factory.yaml:${line}`,
      "warning automations/a/automation.md:4",
    ]);
    expect(await warned(of, { name: "pool", labels: ["gpu", "eu", "x"] })).toEqual([]);
    expect(await warned(of, { name: "pool", labels: ["gpu"] })).toEqual([
      "warning automations/a/automation.md:4",
    ]);
  });

  test("is none of the names of this server", async () => {
    expect(await warned({ defaults: "workerHost: warp", helper: "workerHost: local" })).toEqual([]);
  });
});

test("a runner that only workers use is not held against this server", async () => {
  const runner = { "runners/big.yaml": "instanceShape: { vcpus: 8, memoryGb: 32 }\n" };
  const host = { sandbox: "bwrap", os: "linux", arch: "x86_64" };
  const ignored = async (of: Parameters<typeof hosted>[0]) =>
    runnersFitTheHost(await load({ ...hosted(of), ...runner }), host).length;
  expect(await ignored({ helper: "runner: big\nworkerHost: pool" })).toBe(0);
  expect(await ignored({ helper: "runner: big\nworkerHost: pool", boss: "runner: big" })).toBe(1);
  expect(await ignored({})).toBe(1);
});
