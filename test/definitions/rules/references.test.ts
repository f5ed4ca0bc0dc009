import { expect, test } from "vitest";
import { harnessesAreKnown, runnersAreThere } from "../../../src/definitions/rules/reference-rules.ts";
import { agentSecretsExist } from "../../../src/definitions/rules/secret-rules.ts";
import { automationWith, FACTORY, load } from "../../given/definition.ts";
import type { Files } from "../../given/folder.ts";

const TRIGGER = "triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: '@daily' } }]";
const FILES: Files = {
  "factory.yaml": `schemaVersion: v1alpha1
name: acme
repositories: [{ owner: acme, name: shop }]
secrets: [EVERYBODY]
agentDefaults:
  harness: { type: elsewhere, model: none }
  runner: large
  secrets: [HERE, INHERITED]
`,
  "agents/boss/agent.md": FACTORY["agents/boss/agent.md"] ?? "",
  "agents/own/agent.md": "---\nrunner: own\nsecrets:\n  - HERE\n  - OF_AGENT\n---\nWork.\n",
  "automations/a.md": automationWith(`agent: own\n${TRIGGER}`),
  "automations/b.md": automationWith(
    `${TRIGGER}\nharness: { type: other, model: none }\nsecrets: [OF_AUTOMATION]`,
  ),
};

const secretsExist = (loaded: Awaited<ReturnType<typeof load>>, isThere: (name: string) => boolean) =>
  agentSecretsExist(loaded, isThere, { says: (name) => `no "${name}"`, severity: "error" });

test("an inherited reference to something missing is reported once, where it is written", async () => {
  const loaded = await load(FILES);
  const told = (problems: { path: string; line: number; message: string }[]) =>
    problems.map(
      ({ path, line, message }) =>
        `${path}:${line} ${/"(\w+)"|runners\/(\w+)/.exec(message)?.slice(1).join("")}`,
    );
  expect(told(secretsExist(loaded, (name) => name === "HERE"))).toEqual([
    "factory.yaml:4 EVERYBODY",
    "factory.yaml:8 INHERITED",
    "agents/own/agent.md:5 OF_AGENT",
    "automations/b.md:4 OF_AUTOMATION",
  ]);
  expect(told(harnessesAreKnown(loaded, () => false))).toEqual([
    "factory.yaml:6 elsewhere",
    "automations/b.md:3 other",
  ]);
  expect(told(runnersAreThere(loaded))).toEqual(["factory.yaml:7 large", "agents/own/agent.md:2 own"]);
});

test.each(["a..b", "x.lock", "a.git", ".hidden"])(
  "a repository named %s is refused where it is written",
  async (name) => {
    const factory = String(FILES["factory.yaml"]).replace("name: shop", `name: ${name}`);
    const { problems } = await load({ ...FILES, "factory.yaml": factory });
    expect(problems.filter(({ severity }) => severity === "error")).toMatchObject([
      {
        path: "factory.yaml",
        line: 3,
        message: expect.stringContaining(`"${name}" is not a valid name of a repository: `),
      },
    ]);
  },
);

test("references to what exists are not reported", async () => {
  const loaded = await load({ ...FILES, "runners/large.yaml": "", "runners/own.yaml": "" });
  expect(loaded.problems.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(secretsExist(loaded, () => true)).toEqual([]);
  expect(harnessesAreKnown(loaded, () => true)).toEqual([]);
  expect(runnersAreThere(loaded)).toEqual([]);
});

test("a missing key of a harness is reported where it is written, whichever file inherits it", async () => {
  const key = (name: string) =>
    `harness: { type: claude, auth: { source: managedSecret, secretName: ${name} } }`;
  const loaded = await load({
    ...FACTORY,
    "factory.yaml": `schemaVersion: v1alpha1
name: acme
repositories: [{ owner: acme, name: shop }]
agentDefaults:
  harness:
    type: claude
    model: none
    auth: { source: managedSecret, secretName: INHERITED_KEY }
`,
    "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\nWork.\n",
    "automations/own.md": automationWith(`${TRIGGER}\n${key("OWN_KEY")}`),
  });
  expect(loaded.problems.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(secretsExist(loaded, () => false)).toMatchObject([
    { path: "factory.yaml", line: 8, severity: "error", message: 'no "INHERITED_KEY"' },
    { path: "automations/own.md", line: 3, severity: "error", message: 'no "OWN_KEY"' },
  ]);
});
