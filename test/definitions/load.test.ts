import { describe, expect, test } from "vitest";
import { type LoadCache, loadDefinition, TREE_LIMITS } from "../../src/definitions/load.ts";
import type { Tree } from "../../src/git/revision.ts";
import {
  automationOn,
  automationWith,
  FACTORY,
  load,
  problemsOf,
  TOKEN_WEBHOOK,
  treeOf,
} from "../given/definition.ts";

const factory = (lines: string) => ({ ...FACTORY, "factory.yaml": `${FACTORY["factory.yaml"]}${lines}` });
const runner = (text: string) => ({ ...FACTORY, "runners/r.yaml": text });
const webhook = (text: string) => ({ ...FACTORY, "webhooks/w.yaml": text });
const automation = (frontMatter: string) => ({
  ...FACTORY,
  "automations/a/automation.md": automationWith(frontMatter),
});
const trigger = (text: string) => automation(`triggers:\n  - { ${text} }\n`);
const scheduled = (schedule: string) =>
  trigger(`provider: schedule, event: cron_fired, schedule: ${schedule}`);
const A = "automations/a/automation.md";

describe("a definition tree", () => {
  test("with a factory and a foreman is valid", async () => {
    const { definition, problems } = await load(FACTORY);
    expect(problems.filter(({ severity }) => severity !== "notice")).toEqual([]);
    expect(definition).toMatchObject({
      factory: { name: "acme" },
      agents: [{ name: "boss", type: "FOREMAN" }],
    });
  });

  test.each<[string, Record<string, string>, string[]]>([
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
    ["an unknown key", factory("descripton: x\n"), ["FF_UNKNOWN_FIELD factory.yaml:5:1"]],
    [
      "an alias that is too long",
      factory(`alias: ${"a".repeat(61)}\n`),
      ["FF_INVALID_VALUE factory.yaml:5:8"],
    ],
    [
      "an integration of its own",
      factory("integrations: [{ type: github }]\n"),
      ["FF_INVALID_VALUE factory.yaml:5:24"],
    ],
    [
      "linear beside jira",
      factory("integrations: [{ type: linear }, { type: jira }]\n"),
      ["FF_INVALID_VALUE factory.yaml:5:34"],
    ],
    [
      "an MCP server without an id",
      factory("mcpServers: { tools: {} }\n"),
      ["FF_INVALID_MCP factory.yaml:5:22"],
    ],
    ["a secret of the wrong form", factory("secrets: [a-b]\n"), ["FF_INVALID_VALUE factory.yaml:5:11"]],
    [
      "both names of cloud providers",
      factory("cloudProviders: {}\nproviders: {}\n"),
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

  test("reports all problems of all files at once, errors first, in the order of their places", async () => {
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

  test("suggests the key that was meant", async () => {
    const { problems } = await load(webhook("secretname: X\n"));
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

describe("a webhook file", () => {
  test.each<[string, string, string[]]>([
    ["needs a secret", "enabled: true\n", ["FF_MISSING_REQUIRED webhooks/w.yaml:1:1"]],
    [
      "needs a scheme for signatures",
      "authMode: signature\nsecretName: S\n",
      ["FF_MISSING_REQUIRED webhooks/w.yaml:1:1"],
    ],
    [
      "takes a scheme for signatures only",
      "signatureScheme: github\nsecretName: S\n",
      ["FF_INVALID_VALUE webhooks/w.yaml:1:1"],
    ],
    [
      "knows its schemes",
      "authMode: signature\nsignatureScheme: gitub\nsecretName: S\n",
      ["FF_INVALID_VALUE webhooks/w.yaml:2:18"],
    ],
    [
      "takes no credential header as delivery id",
      "secretName: S\ndeliveryIdHeader: authorization\n",
      ["FF_INVALID_VALUE webhooks/w.yaml:2:19"],
    ],
    [
      "takes no signature header as delivery id",
      "secretName: S\ndeliveryIdHeader: X-Hub-Signature-256\n",
      ["FF_INVALID_VALUE webhooks/w.yaml:2:19"],
    ],
    [
      "takes header names only",
      'secretName: S\ndeliveryIdHeader: "a b"\n',
      ["FF_INVALID_VALUE webhooks/w.yaml:2:19"],
    ],
    [
      "needs a scheme block for custom",
      "authMode: signature\nsignatureScheme: custom\nsecretName: S\n",
      ["FF_MISSING_REQUIRED webhooks/w.yaml:1:1"],
    ],
    [
      "keeps our keys in our block",
      "secretName: S\nmillrace: { colour: red }\n",
      ["FF_UNKNOWN_FIELD webhooks/w.yaml:2:13"],
    ],
    ["wants true or false", "secretName: S\nenabled: yes\n", ["FF_TYPE_MISMATCH webhooks/w.yaml:2:10"]],
  ])("%s", async (_, text, expected) => {
    expect(await problemsOf(webhook(text))).toEqual(expected);
  });

  test("may be one of twenty; each one beyond is a problem", async () => {
    const webhooks = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `webhooks/w${String(i).padStart(2, "0")}.yaml`,
          TOKEN_WEBHOOK,
        ]),
      );
    expect(await problemsOf({ ...FACTORY, ...webhooks(20) })).toEqual([]);
    expect(await problemsOf({ ...FACTORY, ...webhooks(22) })).toEqual([
      "FF_INVALID_DOCUMENT webhooks/w20.yaml:1:1",
      "FF_INVALID_DOCUMENT webhooks/w21.yaml:1:1",
    ]);
  });
});

describe("an automation file", () => {
  test.each<[string, Record<string, string | Buffer>, string[]]>([
    ["needs triggers", automation("enabled: true\n"), [`FF_MISSING_REQUIRED ${A}:2:1`]],
    ["needs at least one", automation("triggers: []\n"), [`FF_INVALID_VALUE ${A}:2:11`]],
    [
      "names an agent of the tree",
      automation("agent: nobody\ntriggers: [{ provider: slack, event: app_mention }]\n"),
      [`FF_INVALID_REFERENCE ${A}:2:8`],
    ],
    ["knows providers", trigger("provider: gitub, event: push"), [`FF_INVALID_TRIGGER ${A}:3:17`]],
    [
      "knows the events of a provider",
      trigger("provider: github, event: pushed"),
      [`FF_INVALID_EVENT ${A}:3:32`],
    ],
    [
      "knows the filter keys of an event",
      trigger("provider: github, event: push, filter: { labels: [x] }"),
      [`FF_INVALID_FILTER ${A}:3:48`],
    ],
    [
      "takes matchers in filters",
      trigger("provider: github, event: push, filter: { repos: acme/shop }"),
      [`FF_INVALID_FILTER ${A}:3:55`],
    ],
    [
      "takes no value in both sets",
      trigger("provider: github, event: push, filter: { repos: { in: [a], not_in: [a] } }"),
      [`FF_INVALID_FILTER ${A}:3:74`],
    ],
    [
      "takes an alias or its key",
      trigger("provider: slack, event: app_mention, filter: { channels: [c], channel_ids: [c] }"),
      [`FF_INVALID_FILTER ${A}:3:54`],
    ],
    [
      "takes null and {} as no constraint",
      trigger("provider: github, event: push, filter: { repos: null, branches: {} }"),
      [],
    ],
    [
      "needs webhooks to listen to",
      trigger("provider: webhook, event: received"),
      [`FF_MISSING_REQUIRED ${A}:3:5`],
    ],
    [
      "needs uids in webhook_ids",
      trigger("provider: webhook, event: received, filter: { webhook_ids: [] }"),
      [`FF_INVALID_FILTER ${A}:3:66`],
    ],
    [
      "takes webhook_ids by inclusion only",
      trigger("provider: webhook, event: received, filter: { webhook_ids: { not_in: [a] } }"),
      [`FF_MISSING_REQUIRED ${A}:3:66`, `FF_INVALID_FILTER ${A}:3:68`],
    ],
    [
      "warns of a webhook that is not there",
      trigger("provider: webhook, event: received, millrace: { webhooks: [ci] }"),
      [`FF_INVALID_REFERENCE ${A}:3:66`],
    ],
    [
      "keeps millrace.webhooks to webhook triggers",
      trigger("provider: slack, event: app_mention, millrace: { webhooks: [ci] }"),
      [`FF_INVALID_TRIGGER ${A}:3:44`],
    ],
    [
      "keeps schedule to schedule triggers",
      trigger("provider: slack, event: app_mention, schedule: { cron: '@daily' }"),
      [`FF_INVALID_TRIGGER ${A}:3:44`],
    ],
    [
      "needs a schedule or ids",
      trigger("provider: schedule, event: cron_fired"),
      [`FF_INVALID_TRIGGER ${A}:3:5`],
    ],
    ["wants five cron fields", scheduled("{ cron: '0 0 * * * *' }"), [`FF_INVALID_TRIGGER ${A}:3:64`]],
    ["refuses time zones", scheduled("{ cron: 'CRON_TZ=UTC 0 0 * * *' }"), [`FF_INVALID_TRIGGER ${A}:3:64`]],
    [
      "refuses what is no cron expression",
      scheduled("{ cron: '61 * * * *' }"),
      [`FF_INVALID_TRIGGER ${A}:3:64`],
    ],
    ["takes macros and intervals", scheduled("{ cron: '@every 1h30m' }"), []],
    [
      "has one unnamed schedule at most",
      automation(
        "triggers:\n  - { provider: schedule, event: cron_fired, schedule: { cron: '@daily' } }\n  - { provider: schedule, event: cron_fired, schedule: { cron: '@hourly' } }\n",
      ),
      [`FF_INVALID_TRIGGER ${A}:4:56`],
    ],
    [
      "checks its payload filter at the field",
      automation(
        "triggers:\n  - provider: webhook\n    event: received\n    filter:\n      webhook_ids: [u]\n      payload:\n        a: { b: [] }\n",
      ),
      [`FF_INVALID_FILTER ${A}:8:17`],
    ],
    [
      "may not have both forms",
      {
        ...automation("triggers: [{ provider: slack, event: app_mention }]\n"),
        "automations/a.md": automationWith("triggers: [{ provider: slack, event: app_mention }]\n"),
      },
      ["FF_DUPLICATE_PATH automations/a.md:1:1"],
    ],
  ])("%s", async (_, files, expected) => {
    expect(await problemsOf(files as Record<string, string>)).toEqual(expected);
  });
});

describe("a runner file", () => {
  test.each<[string, string, string[]]>([
    [
      "sizes on linux are powers of two",
      "instanceShape: { vcpus: 3, memoryGb: 8 }\n",
      ["FF_INVALID_VALUE runners/r.yaml:1:25"],
    ],
    [
      "sizes on macOS are those of its machines",
      "platform: { os: macos }\ninstanceShape: { vcpus: 4, memoryGb: 8 }\n",
      ["FF_INVALID_VALUE runners/r.yaml:2:16"],
    ],
    [
      "macOS comes in known sizes",
      "platform: { os: macos, mac: { version: '26' } }\ninstanceShape: { vcpus: 4, memoryGb: 7 }\n",
      [],
    ],
    ["macOS is aarch64", "platform: { os: macos, arch: x86_64 }\n", ["FF_INVALID_VALUE runners/r.yaml:1:30"]],
    [
      "linux takes no mac block",
      "platform: { mac: { version: '26' } }\n",
      ["FF_INVALID_VALUE runners/r.yaml:1:18"],
    ],
    [
      "a mac block needs a version",
      "platform: { os: macos, mac: {} }\n",
      ["FF_MISSING_REQUIRED runners/r.yaml:1:29"],
    ],
  ])("%s", async (_, text, expected) => {
    expect(await problemsOf(runner(text))).toEqual(expected);
  });
});

describe("scorers and benchmarks", () => {
  const scorer = (labels: string, rest = "") => ({
    ...FACTORY,
    "scorers/s/scorer.md": `---\nagents: [boss]\nlabels: ${labels}\npassingScore: 0.5\nmodel: m\n${rest}---\nJudge.\n`,
  });
  const good = "[{ value: good, score: 1 }, { value: bad, score: 0 }]";
  const suite = (text: string) => ({ ...FACTORY, "benchmarks/b/suite.yaml": text });
  const S = "scorers/s/scorer.md";
  const B = "benchmarks/b/suite.yaml";

  test.each<[string, Record<string, unknown>, string[]]>([
    ["a scorer with labels on both sides is valid", scorer(good), []],
    [
      "labels need both sides of the passing score",
      scorer("[{ value: good, score: 1 }]"),
      [`FF_INVALID_VALUE ${S}:3:9`],
    ],
    [
      "labels are unique",
      scorer("[{ value: a, score: 1 }, { value: a, score: 0 }]"),
      [`FF_INVALID_VALUE ${S}:3:43`],
    ],
    [
      "a sampling rate of nothing is refused",
      scorer(good, "samplingRate: 0\n"),
      [`FF_INVALID_VALUE ${S}:6:15`],
    ],
    [
      "a scorer names agents of the tree",
      { ...scorer(good), [S]: (scorer(good)[S] as string).replace("boss", "nobody") },
      [`FF_INVALID_REFERENCE ${S}:2:10`],
    ],
    [
      "a scorer has a rubric",
      { ...scorer(good), [S]: (scorer(good)[S] as string).replace("Judge.\n", "") },
      [`FF_MISSING_REQUIRED ${S}:2:1`],
    ],
    ["a scorer may have a name", scorer(good, "name: Good\n"), []],
    [
      "a suite has one baseline at most",
      suite(
        "name: s\nagent: boss\nconfigurations: [{ name: a, role: baseline }, { name: b, role: baseline }]\n",
      ),
      [`FF_INVALID_VALUE ${B}:3:64`],
    ],
    [
      "a suite names an agent of the tree",
      suite("name: s\nagent: nobody\nconfigurations: [{ name: a, role: baseline }]\n"),
      [`FF_INVALID_REFERENCE ${B}:2:8`],
    ],
    [
      "a task that is listed has a file",
      suite("name: s\nagent: boss\nconfigurations: [{ name: a, role: baseline }]\ntasks: [t]\n"),
      [`FF_INVALID_REFERENCE ${B}:4:9`],
    ],
    [
      "a task that has a file is listed",
      {
        ...suite("name: s\nagent: boss\nconfigurations: [{ name: a, role: baseline }]\n"),
        "benchmarks/b/tasks/t.yaml": "title: t\nprompt: p\nsuccessCriteria: c\n",
      },
      ["FF_INVALID_REFERENCE benchmarks/b/tasks/t.yaml:1:1"],
    ],
    [
      "a starting commit is a full hash",
      {
        ...suite("name: s\nagent: boss\nconfigurations: [{ name: a, role: baseline }]\ntasks: [t]\n"),
        "benchmarks/b/tasks/t.yaml":
          "title: t\nprompt: p\nsuccessCriteria: c\nstartingRepoRefs: ['github.com:a/b@abc']\n",
      },
      ["FF_INVALID_VALUE benchmarks/b/tasks/t.yaml:4:20"],
    ],
  ])("%s", async (_, files, expected) => {
    expect(await problemsOf(files as Record<string, string>)).toEqual(expected);
  });
});

describe("a path", () => {
  test.each([
    "agents/agent.md",
    "agents/a/b/agent.md",
    "automations/a/b/automation.md",
    "scorers/scorer.md",
    "benchmarks/suite.yaml",
    "benchmarks/b/tasks/x/t.yaml",
    "webhooks/team/ci.yaml",
    "webhooks/ci.yml",
    "runners/r.yml",
  ])("%s looks like a resource, and is not at its place", async (path) => {
    expect(await problemsOf({ ...FACTORY, [path]: "x: 1\n" })).toEqual([`FF_UNSUPPORTED_PATH ${path}:1:1`]);
  });

  test.each([
    "README.md",
    "docs/webhooks/ci.yml",
    "agents/README.md",
    "agents/boss/skills/x/agent.md",
    "skills/x/webhooks/ci.yaml",
    "automations/a/tests/fires.yaml",
    "automations/a/notes.txt",
    ".github/workflows/agents/agent.md",
    "webhooks/.draft.yaml",
    "factory.yml",
  ])("%s is none of ours", async (path) => {
    expect(await problemsOf({ ...FACTORY, [path]: "x: [" })).toEqual([]);
  });
});

describe("what a tree is made of", () => {
  const problems = async (tree: Tree) =>
    (await loadDefinition(tree, "source")).problems
      .filter(({ severity }) => severity === "error")
      .map(({ code, path, line, column }) => `${code} ${path}:${line}:${column}`);

  test("a file of 256 KiB is read, one byte more is a problem", async () => {
    const padded = (size: number) => `${TOKEN_WEBHOOK}#${"x".repeat(size - TOKEN_WEBHOOK.length - 1)}`;
    expect(await problems(treeOf(webhook(padded(TREE_LIMITS.fileBytes))))).toEqual([]);
    expect(await problems(treeOf(webhook(padded(TREE_LIMITS.fileBytes + 1))))).toEqual([
      "FF_INVALID_DOCUMENT webhooks/w.yaml:1:1",
    ]);
  });

  test("a file of 10 MB is refused by its size, without being read", async () => {
    const tree = treeOf(FACTORY, [{ path: "webhooks/w.yaml", size: 10_000_000, id: "big" }]);
    const asked: string[] = [];
    const watched = noting(tree, asked);
    expect(await problems(watched)).toEqual(["FF_INVALID_DOCUMENT webhooks/w.yaml:1:1"]);
    expect(asked).not.toContain("webhooks/w.yaml");
  });

  test("more than 10,000 files are a problem of the whole tree", async () => {
    const files = Array.from({ length: 10_000 }, (_, index) => ({ path: `other/${index}` }));
    expect(await problems(treeOf({ "webhooks/w.yaml": TOKEN_WEBHOOK }, files.slice(1)))).toEqual([]);
    expect(await problems(treeOf({ "webhooks/w.yaml": TOKEN_WEBHOOK }, files))).toEqual([
      "FF_INVALID_DOCUMENT factory.yaml:1:1",
    ]);
  });

  test("more than 64 MiB are a problem of the whole tree", async () => {
    const big = { path: "other/big.bin", size: TREE_LIMITS.bytes };
    expect(await problems(treeOf(FACTORY, [big]))).toEqual(["FF_INVALID_DOCUMENT factory.yaml:1:1"]);
  });

  test.each(["webhooks/w.yaml", "webhooks", "agents/linked"])(
    "a symlink at %s is refused, not followed",
    async (path) => {
      expect(await problems(treeOf(FACTORY, [{ path, kind: "symlink" }]))).toEqual([
        `FF_INVALID_DOCUMENT ${path}:1:1`,
      ]);
    },
  );

  test("a submodule where definitions are is refused", async () => {
    const tree = treeOf(FACTORY, [{ path: "webhooks", kind: "submodule" }]);
    expect(await problems(tree)).toEqual(["FF_INVALID_DOCUMENT webhooks:1:1"]);
  });

  test("links and submodules elsewhere are none of ours", async () => {
    const tree = treeOf(FACTORY, [
      { path: "docs/link", kind: "symlink" },
      { path: "vendor/x", kind: "submodule" },
    ]);
    expect(await problems(tree)).toEqual([]);
  });

  test("a file that is not UTF-8 is a problem, and so is one with a NUL", async () => {
    expect(
      await problems(treeOf({ ...FACTORY, "webhooks/w.yaml": Buffer.from([0x73, 0xff, 0xfe]) })),
    ).toEqual(["FF_INVALID_DOCUMENT webhooks/w.yaml:1:1"]);
    expect(await problems(treeOf(webhook('secretName: "a\0b"\n')))).toEqual([
      "FF_INVALID_DOCUMENT webhooks/w.yaml:1:1",
    ]);
  });

  test("one byte order mark at the start of a file is dropped", async () => {
    const bom = "\uFEFF";
    expect(await problems(treeOf(webhook(bom + TOKEN_WEBHOOK)))).toEqual([]);
    expect(
      await problems(
        treeOf({ ...FACTORY, "agents/boss/agent.md": `${bom}${FACTORY["agents/boss/agent.md"]}` }),
      ),
    ).toEqual([]);
  });

  test("an unchanged file is not read again", async () => {
    const cache: LoadCache = new Map();
    const asked: string[] = [];
    await loadDefinition(noting(treeOf(webhook(TOKEN_WEBHOOK)), asked), "source", cache);
    expect(asked.sort()).toEqual(["agents/boss/agent.md", "factory.yaml", "webhooks/w.yaml"]);
    asked.length = 0;
    const again = await loadDefinition(
      noting(treeOf(webhook("secretName: OTHER\n")), asked),
      "source",
      cache,
    );
    expect(asked).toEqual(["webhooks/w.yaml"]);
    expect(again.definition?.webhooks[0]?.secretName).toBe("OTHER");
  });
});

/** A tree that notes which files are read. */
function noting(tree: Tree, asked: string[]): Tree {
  return {
    ...tree,
    read(entries) {
      asked.push(...entries.map(({ path }) => path));
      return tree.read(entries);
    },
  };
}
