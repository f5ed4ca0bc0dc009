import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK, withNeededRepository } from "../../given/definition.ts";
import { type Files, folderWith } from "../../given/folder.ts";
import { run } from "../../given/server.ts";

const broken = { ...FACTORY, "webhooks/ci.yaml": "secretname: X\n" };

/** These files in a folder of a repository. */
const within = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));

describe("validate", () => {
  test("shows problems with their line and a caret, and ends with 1", async () => {
    const { code, printed } = await run(["validate", folderWith(broken)]);
    expect(code).toBe(1);
    expect(printed).toContain(
      'error FF_UNKNOWN_FIELD webhooks/ci.yaml:1:1\n  unknown key "secretname": did you mean "secretName"?\n  1 | secretname: X\n    | ^\n',
    );
    expect(printed).toContain("Not valid: 2 errors.");
  });

  test("ends with 0 for a valid tree, and with 2 for one that it cannot read", async () => {
    const valid = await run(["validate", folderWith({ ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK })]);
    expect([valid.code, valid.printed]).toEqual([
      0,
      expect.stringContaining("Valid: 1 agent, 0 automations, 1 webhook."),
    ]);
    expect((await run(["validate", "/nowhere/at/all"])).code).toBe(2);
    expect((await run(["validate", "--format", "xml"])).code).toBe(2);
  });

  test("asks about files that look misplaced, which makes nothing invalid", async () => {
    const files = { ...FACTORY, "agnts/x.md": "", "webhook/form.yaml": TOKEN_WEBHOOK, "README.md": "" };
    const { code, printed, said } = await run(["validate", folderWith(files), "--format", "json"]);
    expect([code, JSON.parse(printed).valid]).toEqual([0, true]);
    expect(said).toBe("webhook/form.yaml is not part of the definition. Did you mean webhooks/form.yaml?\n");
  });

  test("prints JSON for programs", async () => {
    const { code, printed } = await run(["validate", folderWith(broken), "--format", "json"]);
    const { valid, problems } = JSON.parse(printed);
    expect([code, valid]).toEqual([1, false]);
    expect(problems[0]).toEqual({
      code: "FF_MISSING_REQUIRED",
      message: expect.any(String),
      path: "webhooks/ci.yaml",
      line: 1,
      column: 1,
      severity: "error",
    });
  });

  test("prints annotations for GitHub, with paths from the root of the checkout", async () => {
    const repository = folderWith(within("deploy/my factory", broken));
    for (const dir of ["deploy/my factory", "./deploy/my factory/", join(repository, "deploy/my factory")]) {
      const { code, printed } = await run(["validate", dir, "--format", "github"], {}, "", {
        cwd: repository,
      });
      expect(code).toBe(1);
      expect(printed).toMatch(
        /^::error file=deploy\/my factory\/webhooks\/ci\.yaml,line=1,col=1,title=FF_UNKNOWN_FIELD::unknown key/m,
      );
    }
  });

  test("of a file says that it is one, and names its folder", async () => {
    const folder = folderWith(within("q", FACTORY));
    const { code, said } = await run(["validate", "q/factory.yaml"], {}, "", { cwd: folder });
    expect([code, said]).toEqual([2, expect.stringContaining("q/factory.yaml is a file")]);
    expect(said).toContain("`millrace validate q`");
  });

  test("prints SARIF for code scanners", async () => {
    const cwd = folderWith(within("deploy/my factory", broken));
    const { printed } = await run(["validate", "deploy/my factory", "--format", "sarif"], {}, "", { cwd });
    expect(JSON.parse(printed)).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "millrace" } },
          results: expect.arrayContaining([
            expect.objectContaining({
              ruleId: "FF_UNKNOWN_FIELD",
              level: "error",
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "deploy/my%20factory/webhooks/ci.yaml" },
                    region: { startLine: 1, startColumn: 1 },
                  },
                },
              ],
            }),
          ]),
        },
      ],
    });
  });
});

test("with the settings of a server, validate reports harnesses and runners that it does not have", async () => {
  const folder = folderWith({
    ...withNeededRepository(),
    "agents/other/agent.md": "---\nharness: { type: mine, model: x }\nrunner: large\n---\nWork.\n",
  });
  const settings = (content: object) => join(folderWith({ "m.yaml": JSON.stringify(content) }), "m.yaml");
  const forges = { home: { baseUrl: "https://git.example.com" } };
  const told = async (...args: string[]) => {
    const { code, printed } = await run(["validate", folder, "--format", "json", ...args]);
    expect(code).toBe(0);
    const { problems } = JSON.parse(printed) as { problems: { message: string; severity: string }[] };
    return problems.filter(({ severity }) => severity === "warning").map(({ message }) => message);
  };
  expect(await told()).toEqual([expect.stringContaining("no forge")]);
  expect(await told("--config", settings({ forges }))).toEqual([
    expect.stringContaining('no harness "mine"'),
    expect.stringContaining("no runners/large.yaml"),
  ]);
  const harnesses = { mine: { command: "mine" } };
  expect(await told("--config", settings({ forges, harnesses }))).toEqual([
    expect.stringContaining("no runners/large.yaml"),
  ]);
});

test.each([
  [undefined, 2],
  ["bwrap", 2],
  ["none", 2],
  ["container", 0],
])(
  "with the settings of a server whose sandbox is %s, validate tells what it ignores of a runner",
  async (sandbox, count) => {
    const folder = folderWith({
      ...FACTORY,
      "runners/large.yaml":
        "platform: { linux: { dockerImage: debian } }\ninstanceShape: { vcpus: 2, memoryGb: 4 }\n",
    });
    const config = join(folderWith({ "m.yaml": JSON.stringify({ sandbox }) }), "m.yaml");
    const { code, printed } = await run(["validate", folder, "--format", "json", "--config", config]);
    const { problems } = JSON.parse(printed) as { problems: { code: string; message: string }[] };
    expect(code).toBe(0);
    const ignored = problems.filter((problem) => problem.code === "FF_RUNNER_IGNORED");
    expect(ignored).toHaveLength(count);
    for (const { message } of ignored) expect(message).toContain("MILLRACE_SANDBOX=container");
  },
);

test("with the settings of a server, validate tells what its runs could not do: push, count dollars, clone, reach a host", async () => {
  const factory = String(withNeededRepository()["factory.yaml"]).replace(
    "{ type: command, model: none }",
    "{ type: mine, model: unheard-of }",
  );
  const folder = folderWith({
    ...withNeededRepository(),
    "factory.yaml": `${factory}millrace: { budget: { usdPerRun: 1 }, network: { allow: [example.com] } }\n`,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"]).replace("---\n", "---\nmillrace: { push: true }\n"),
  });
  const told = async (content: object, place = "m.yaml") => {
    const config = join(folderWith({ [place]: JSON.stringify(content) }), place);
    const { printed } = await run(["validate", folder, "--format", "json", "--config", config]);
    const { problems } = JSON.parse(printed) as { problems: { message: string; severity: string }[] };
    return problems.filter(({ severity }) => severity !== "notice").map(({ message }) => message);
  };
  const baseUrl = "https://git.example.com";
  const harnesses = { mine: { command: "mine" } };
  expect(
    await told({
      harnesses,
      forges: { home: { baseUrl } },
      network: { allow: ["other.example.com"], locked: true },
    }),
  ).toEqual([
    expect.stringContaining('"example.com" is not allowed by the locked list'),
    expect.stringContaining("has no GitHub App"),
    expect.stringContaining("the price of the model unheard-of is not known"),
  ]);
  const app = { id: 1, privateKey: { env: "KEY" } };
  const prices = { "unheard-of": { input: 1, output: 1 } };
  const well = { harnesses, prices, forges: { home: { baseUrl, app, factories: ["acme"] } } };
  expect(await told(well)).toEqual([]);
  const ofOthers = { ...well, forges: { home: { baseUrl, app, factories: ["another"] } } };
  expect(await told(ofOthers)).toEqual([
    expect.stringMatching(
      /no forge is configured for acme\/shop.*may not use \(home\)\. Add acme to factories: of the right one/,
    ),
  ]);
});

test("without the settings of a server, validate says what it has not checked", async () => {
  const folder = folderWith(FACTORY);
  const without = await run(["validate", folder]);
  expect(without.printed).toMatch(/^Not checked: .*add --config millrace\.yaml\.$/m);
  const config = join(folderWith({ "m.yaml": "{}" }), "m.yaml");
  expect((await run(["validate", folder, "--config", config])).printed).not.toContain("Not checked");
});

test("validate says of the name of a file in webhook_ids what to write instead", async () => {
  const trigger = (ids: string) =>
    `---\ntriggers: [{ provider: webhook, event: received, filter: { webhook_ids: ${ids} } }]\n---\nGo.\n`;
  const folder = folderWith({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": trigger("[ci]"),
    "automations/b.md": trigger("{ in: [webhooks/ci.yaml] }"),
    "automations/c.md": trigger("[01890000-0000-7000-8000-000000000000]"),
  });
  const { code, printed } = await run(["validate", folder, "--format", "json"]);
  const { problems } = JSON.parse(printed) as { problems: { code: string; path: string; message: string }[] };
  expect(code).toBe(0);
  const remedy = expect.stringContaining("write `millrace: { webhooks: [ci] }` next to provider and event");
  expect(problems.filter(({ code }) => code === "FF_INVALID_REFERENCE")).toMatchObject([
    { path: "automations/a.md", message: remedy },
    { path: "automations/b.md", message: remedy },
  ]);
});
