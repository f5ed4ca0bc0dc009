import { describe, expect, test } from "vitest";
import {
  automationOn,
  automationWith,
  FACTORY,
  load,
  problemsOf,
  TOKEN_WEBHOOK,
  withFactoryLines,
  withWebhook,
} from "../../given/definition.ts";
import type { Files } from "../../given/folder.ts";

const A = "automations/a/automation.md";

async function messagesOf(files: Files): Promise<string[]> {
  return (await load(files)).problems.map(({ message }) => message);
}

describe("a problem says what to write instead:", () => {
  test("a tree without a definition names the command that writes one", async () => {
    expect(await messagesOf({})).toEqual([
      "no definition found: expected a factory.yaml, or webhooks/ and automations/; run `millrace init` to create a starting point",
    ]);
  });

  test("a repository as a text shows the keys it has", async () => {
    const text = String(FACTORY["factory.yaml"]).replace(
      /repositories:.*(\n .*)*/,
      "repositories: [acme/shop]",
    );
    expect(await messagesOf({ ...FACTORY, "factory.yaml": text })).toContain(
      '"repositories[0]": expected keys and values (a mapping) such as { owner: …, name: … }, found "acme/shop"',
    );
  });

  test.each([
    ["agents/boss/agent.md", "---\nname: boss\nagentType: FOREMAN\n---\n", "its folder"],
    ["automations/a/automation.md", "---\nname: a\ntriggers: []\n---\n", "its folder"],
    ["automations/a.md", "---\nname: a\ntriggers: []\n---\n", "its file"],
    ["webhooks/ci.yaml", "name: ci\nsecretName: X\n", "its file"],
  ])("a name in %s is that of its folder or file", async (path, text, named) => {
    const name = /^\w+\/(\w+)/.exec(path)?.[1];
    expect(await messagesOf({ ...FACTORY, [path]: text })).toContain(
      `unknown key "name": the name is taken from ${named}, "${name}"; remove the key`,
    );
  });
});

describe("a definition tree", () => {
  test("with a factory and a foreman is valid", async () => {
    const { definition, problems } = await load(FACTORY);
    expect(problems.filter(({ severity }) => severity !== "notice")).toEqual([]);
    expect(definition).toMatchObject({
      factory: { name: "acme" },
      agents: [{ name: "boss", type: "FOREMAN" }],
    });
  });

  test.each<[string, Files, string[]]>([
    ["an empty tree", {}, ["FF_MISSING_FACTORY factory.yaml:1:1"]],
    [
      "agents without a factory.yaml",
      { "agents/a/agent.md": "---\n---\n" },
      ["FF_MISSING_FACTORY factory.yaml:1:1"],
    ],
    ["files that are none of ours", { "README.md": "hello" }, ["FF_MISSING_FACTORY factory.yaml:1:1"]],
    ["skills alone", { "skills/s/SKILL.md": "hello" }, ["FF_MISSING_FACTORY factory.yaml:1:1"]],
    [
      "a factory without agents",
      { "factory.yaml": FACTORY["factory.yaml"] as string },
      ["FF_MISSING_REQUIRED factory.yaml:1:1"],
    ],
    [
      "a factory without a foreman",
      { ...FACTORY, "agents/boss/agent.md": "---\n---\n" },
      ["FF_MISSING_REQUIRED factory.yaml:1:1"],
    ],
    [
      "two foremen",
      { ...FACTORY, "agents/chef/agent.md": "---\nagentType: MAIN\n---\n" },
      ["FF_INVALID_VALUE agents/chef/agent.md:2:12"],
    ],
    [
      "an empty factory.yaml",
      { ...FACTORY, "factory.yaml": "" },
      [
        "FF_MISSING_REQUIRED factory.yaml:1:1",
        "FF_MISSING_REQUIRED factory.yaml:1:1",
        "FF_MISSING_REQUIRED factory.yaml:1:1",
        "FF_MISSING_REQUIRED factory.yaml:1:1",
      ],
    ],
    [
      "another schema version",
      { ...FACTORY, "factory.yaml": (FACTORY["factory.yaml"] as string).replace("v1alpha1", "v2") },
      ["FF_UNSUPPORTED_VERSION factory.yaml:1:16"],
    ],
    [
      "an empty name",
      { ...FACTORY, "factory.yaml": (FACTORY["factory.yaml"] as string).replace("acme", '""') },
      ["FF_MISSING_REQUIRED factory.yaml:2:7"],
    ],
    ["an unknown key", withFactoryLines("descripton: x\n"), ["FF_UNKNOWN_FIELD factory.yaml:5:1"]],
    [
      "an alias that is too long",
      withFactoryLines(`alias: ${"a".repeat(61)}\n`),
      ["FF_INVALID_VALUE factory.yaml:5:8"],
    ],
    [
      "an integration of its own",
      withFactoryLines("integrations: [{ type: github }]\n"),
      ["FF_INVALID_VALUE factory.yaml:5:24"],
    ],
    [
      "linear beside jira",
      withFactoryLines("integrations: [{ type: linear }, { type: jira }]\n"),
      ["FF_INVALID_VALUE factory.yaml:5:34"],
    ],
    [
      "an MCP server without an id",
      withFactoryLines("mcpServers: { tools: {} }\n"),
      ["FF_INVALID_MCP factory.yaml:5:22"],
    ],
    [
      "a secret of the wrong form",
      withFactoryLines("secrets: [a-b]\n"),
      ["FF_INVALID_VALUE factory.yaml:5:11"],
    ],
    [
      "both names of cloud providers",
      withFactoryLines("cloudProviders: {}\nproviders: {}\n"),
      ["FF_INVALID_VALUE factory.yaml:6:1"],
    ],
    [
      "both model and harness",
      {
        ...FACTORY,
        "agents/boss/agent.md": "---\nagentType: FOREMAN\nmodel: m\nharness: { model: n }\n---\n",
      },
      ["FF_INVALID_VALUE agents/boss/agent.md:4:1"],
    ],
    [
      "an empty harness",
      { ...FACTORY, "agents/boss/agent.md": "---\nagentType: FOREMAN\nharness: {}\n---\n" },
      ["FF_INVALID_VALUE agents/boss/agent.md:3:10"],
    ],
    [
      "an empty model",
      { ...FACTORY, "agents/boss/agent.md": '---\nagentType: FOREMAN\nmodel: ""\n---\n' },
      ["FF_INVALID_VALUE agents/boss/agent.md:3:8"],
    ],
    [
      "oz with a credential",
      {
        ...FACTORY,
        "agents/boss/agent.md":
          "---\nagentType: FOREMAN\nharness: { type: oz, auth: { source: managedSecret, secretName: K } }\n---\n",
      },
      ["FF_INVALID_VALUE agents/boss/agent.md:3:28"],
    ],
    [
      "a managed secret without a name",
      {
        ...FACTORY,
        "agents/boss/agent.md":
          "---\nagentType: FOREMAN\nharness: { auth: { source: managedSecret } }\n---\n",
      },
      ["FF_MISSING_REQUIRED agents/boss/agent.md:3:18"],
    ],
    [
      "a worker's credential without a worker",
      {
        ...FACTORY,
        "agents/boss/agent.md":
          "---\nagentType: FOREMAN\nharness: { auth: { source: workerEnvironment } }\n---\n",
      },
      ["FF_INVALID_VALUE agents/boss/agent.md:3:28"],
    ],
  ])("with %s says what is wrong and where", async (_, files, expected) => {
    expect(await problemsOf(files)).toEqual(expected);
  });

  test("reports all problems of all files together, errors first, in the order of their places", async () => {
    const files = {
      ...FACTORY,
      "webhooks/b.yaml": "secretname: X\n",
      "webhooks/a.yaml": "authMode: tokn\n",
      [A]: "no",
    };
    expect(await problemsOf(files)).toEqual(
      [
        `FF_MALFORMED_FRONTMATTER ${A}:1:1`,
        "FF_INVALID_VALUE webhooks/a.yaml:1:11",
        "FF_MISSING_REQUIRED webhooks/a.yaml:1:1",
        "FF_MISSING_REQUIRED webhooks/b.yaml:1:1",
        "FF_UNKNOWN_FIELD webhooks/b.yaml:1:1",
      ].sort((a, b) => (a.split(" ")[1] ?? "").localeCompare(b.split(" ")[1] ?? "")),
    );
  });

  test("names the one value that is allowed, without a list", async () => {
    const automation = automationWith("triggers: [{ provider: webhook, event: recieved }]\n");
    const { problems } = await load({ ...FACTORY, [A]: automation });
    expect(problems.map(({ message }) => message).join()).toContain('expected "received", found "recieved"');
  });

  test("suggests the key that was meant", async () => {
    const { problems } = await load(withWebhook("secretname: X\n"));
    expect(problems.find(({ code }) => code === "FF_UNKNOWN_FIELD")?.message).toContain(
      'did you mean "secretName"?',
    );
  });

  test("does not blame a reference to a file that is itself broken", async () => {
    const files = {
      ...FACTORY,
      "agents/helper/agent.md": "broken",
      [A]: automationWith("agent: helper\ntriggers: [{ provider: slack, event: app_mention }]\n"),
    };
    expect(await problemsOf(files)).toEqual(["FF_MALFORMED_FRONTMATTER agents/helper/agent.md:1:1"]);
  });
});

describe("the smallest shape, without a factory.yaml", () => {
  const smallest = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };

  test("is valid, named after its source, and says so", async () => {
    const { definition, problems } = await load(smallest);
    expect(definition).toMatchObject({
      factory: { name: "source", smallest: true },
      automations: [{ agent: "default" }],
    });
    expect(problems.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "notice FF_MISSING_FACTORY",
    ]);
  });

  test("refuses an automation that names an agent", async () => {
    const files = {
      ...smallest,
      "automations/a.md": automationWith("agent: x\ntriggers: [{ provider: slack, event: app_mention }]\n"),
    };
    expect(await problemsOf(files)).toEqual(["FF_INVALID_REFERENCE automations/a.md:2:8"]);
  });
});

test.each(["", "\n", " \n\t\n"])(
  "an automation with the prompt %j has nothing to say to its runs",
  async (prompt) => {
    const front = "---\ntriggers: [{ provider: slack, event: app_mention }]\n---\n";
    const { problems } = await load({ ...FACTORY, "automations/a.md": front + prompt });
    expect(problems.filter(({ severity }) => severity === "error")).toMatchObject([
      {
        code: "FF_MISSING_REQUIRED",
        path: "automations/a.md",
        message: expect.stringMatching(/^the prompt is empty: write/),
      },
    ]);
  },
);
