import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { settingNotices } from "../../src/config/setting-notices.ts";
import { settings } from "../../src/config/settings.ts";
import { DEFINITION_SCHEMAS, readSchema } from "../../src/definitions/validate.ts";
import { automationWith, FACTORY, load } from "../given/definition.ts";
import type { Files } from "../given/folder.ts";

/** A test, by its file and a part of its name, that shows the effect of a key from outside. */
type ShownBy = { shownBy: [file: string, name: string] };
/** A definition that says the key, and the words of the notice that it has no effect yet. */
type Notice = { notice: string; files: Files };
/** A text for people who read the definition. */
type ForReaders = "for readers";
type Evidence = ShownBy | Notice | ForReaders;

const shown = (file: string, name: string): ShownBy => ({ shownBy: [file, name] });
const rules = (name: string) => shown("definitions/load.test.ts", name);
const factory = (lines: string): Files => ({
  ...FACTORY,
  "factory.yaml": `${FACTORY["factory.yaml"]}${lines}`,
});
const defaults = (line: string): Files => ({
  ...FACTORY,
  "factory.yaml": String(FACTORY["factory.yaml"]).replace("{ harness:", `{ ${line}, harness:`),
});
const agent = (line: string): Files => ({
  ...FACTORY,
  "agents/boss/agent.md": `---\nagentType: FOREMAN\n${line}\n---\n`,
});
const automation = (lines: string): Files => ({
  ...FACTORY,
  "automations/a.md": automationWith(`triggers: [{ provider: slack, event: app_mention }]\n${lines}`),
});
const noticed = (notice: string, files: Files): Notice => ({ notice, files });
const scorer: Files = {
  ...FACTORY,
  "scorers/s/scorer.md":
    "---\nagents: [boss]\nlabels: [{ value: a, score: 1 }, { value: b, score: 0 }]\npassingScore: 1\nmodel: m\n---\nJudge.\n",
};
const suite: Files = {
  ...FACTORY,
  "benchmarks/b/suite.yaml": "name: s\nagent: boss\nconfigurations: [{ name: a, role: baseline }]\n",
};
const runner: Files = { ...FACTORY, "runners/r.yaml": "setupCommands: [make]\n" };

const EVIDENCE: Record<string, Record<string, Evidence>> = {
  factory: {
    schemaVersion: rules("another schema version"),
    name: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    description: "for readers",
    alias: noticed("alias", factory("alias: shop\n")),
    credentialStrategy: noticed("credentialStrategy", factory("credentialStrategy: CREATOR\n")),
    repositories: noticed("repositories", FACTORY),
    secrets: shown("runs/execute.test.ts", "gets an environment built from nothing"),
    mcpServers: noticed("mcpServers", factory("mcpServers: { x: { warpId: y } }\n")),
    cloudProviders: noticed("cloudProviders", factory("cloudProviders: { aws: { roleArn: x } }\n")),
    providers: noticed("cloudProviders", factory("providers: { aws: { roleArn: x } }\n")),
    integrations: noticed("integrations", factory("integrations: [{ type: slack }]\n")),
    codeForges: noticed("codeForges", factory("codeForges: [GITHUB]\n")),
    "agentDefaults.model": noticed("model", {
      ...FACTORY,
      "factory.yaml": String(FACTORY["factory.yaml"]).replace(
        /agentDefaults: .*/,
        "agentDefaults: { model: m }",
      ),
    }),
    "agentDefaults.harness": shown("runs/execute.test.ts", "gets an environment built from nothing"),
    "agentDefaults.runner": noticed("runner", defaults("runner: r")),
    "agentDefaults.environmentId": noticed("environmentId", defaults("environmentId: e")),
    "agentDefaults.secrets": shown("journey/inheritance.test.ts", "what factory, agent and automation say"),
    "agentDefaults.mcpServers": noticed("mcpServers", defaults("mcpServers: { x: { warpId: y } }")),
    "agentDefaults.workerHost": noticed("workerHost", defaults("workerHost: h")),
    "millrace.pruneGuard": noticed("millrace.pruneGuard", factory("millrace: { pruneGuard: block }\n")),
    "millrace.runsPerHour": noticed("millrace.runsPerHour", factory("millrace: { runsPerHour: 5 }\n")),
  },
  agent: {
    description: "for readers",
    agentType: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    credentialStrategy: noticed("credentialStrategy", agent("credentialStrategy: CREATOR")),
    model: noticed("model", agent("model: m")),
    harness: shown("runs/harness.test.ts", "runs an agent with the harness that its definition names"),
    runner: noticed("runner", agent("runner: r")),
    environmentId: noticed("environmentId", agent("environmentId: e")),
    secrets: shown("runs/execute.test.ts", "gets an environment built from nothing"),
    mcpServers: noticed("mcpServers", agent("mcpServers: { x: { warpId: y } }")),
    workerHost: noticed("workerHost", agent("workerHost: h")),
  },
  automation: {
    enabled: shown("journey/inheritance.test.ts", "a disabled automation"),
    agent: shown("journey/inheritance.test.ts", "what factory, agent and automation say"),
    triggers: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    model: noticed("model", automation("model: m\n")),
    harness: shown("journey/inheritance.test.ts", "what factory, agent and automation say"),
    runner: noticed("runner", automation("runner: r\n")),
    environmentId: noticed("environmentId", automation("environmentId: e\n")),
    secrets: shown("journey/inheritance.test.ts", "what factory, agent and automation say"),
    mcpServers: noticed("mcpServers", automation("mcpServers: { x: { warpId: y } }\n")),
    workerHost: noticed("workerHost", automation("workerHost: h\n")),
    "millrace.concurrency": noticed("millrace.concurrency", automation("millrace: { concurrency: 1 }\n")),
    "millrace.missed": noticed("millrace.missed", automation("millrace: { missed: once }\n")),
  },
  webhook: {
    authMode: noticed("authMode: signature", {
      ...FACTORY,
      "webhooks/w.yaml": "authMode: signature\nsignatureScheme: github\nsecretName: S\n",
    }),
    signatureScheme: noticed("authMode: signature", {
      ...FACTORY,
      "webhooks/w.yaml": "authMode: signature\nsignatureScheme: github\nsecretName: S\n",
    }),
    secretName: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    deliveryIdHeader: shown("ingress/receive.test.ts", "is the header that the webhook names"),
    enabled: shown("ingress/receive.test.ts", "to a disabled webhook finds nothing"),
    "millrace.scheme": noticed("authMode: signature", {
      ...FACTORY,
      "webhooks/w.yaml":
        "authMode: signature\nsignatureScheme: custom\nsecretName: S\nmillrace: { scheme: { header: X } }\n",
    }),
  },
  runner: { "*": noticed("runners", runner) },
  scorer: { "*": noticed("scorers", scorer) },
  benchmark_suite: { "*": noticed("benchmarks", suite) },
  benchmark_suite_task: { "*": noticed("benchmarks", suite) },
};

const TRIGGERS: Record<string, Evidence> = {
  webhook: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
  ...Object.fromEntries(
    [
      ["schedule", "cron_fired, schedule: { cron: '@daily' }"],
      ["factory", "work_item_stage_changed"],
      ["github", "push"],
      ["gitlab", "push"],
      ["linear", "comment_created"],
      ["jira", "status_changed"],
      ["slack", "app_mention"],
    ].map(([provider, event]) => [
      provider,
      noticed(`provider ${provider}`, {
        ...FACTORY,
        "automations/a.md": automationWith(`triggers: [{ provider: ${provider}, event: ${event} }]\n`),
      }),
    ]),
  ),
};

const SETTINGS: Record<string, ShownBy | "notice"> = {
  listen: shown("cli/serve.test.ts", "refuses an address that another program listens on"),
  publicUrl: shown("journey/settings.test.ts", "public and webhook URL"),
  webhookUrl: shown("journey/settings.test.ts", "public and webhook URL"),
  webhookListen: "notice",
  dataDir: shown("cli/serve.test.ts", "refuses a data folder that another server has"),
  databaseUrl: shown("journey/settings.test.ts", "the database"),
  masterKey: shown("secrets/secrets.test.ts", "that is wrong keeps the server from starting"),
  masterKeyFile: shown("secrets/secrets.test.ts", "may come from a file"),
  adminKey: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
  branch: shown("journey/settings.test.ts", "branch, folder and poll interval"),
  path: shown("journey/settings.test.ts", "branch, folder and poll interval"),
  pollInterval: shown("journey/settings.test.ts", "branch, folder and poll interval"),
  gitToken: shown("journey/settings.test.ts", "a token"),
  gitTokenFile: shown("journey/settings.test.ts", "a token"),
  gitSshKeyFile: shown("journey/settings.test.ts", "an ssh key"),
  gitKnownHostsFile: shown("journey/settings.test.ts", "an ssh key"),
  agentCommand: shown("runs/harness.test.ts", "without an agent command says what to set"),
  runConcurrency: shown("runs/queue.test.ts", "runs so many agents at once"),
  runTimeout: shown("runs/execute.test.ts", "that runs too long is ended"),
  sandbox: "notice",
  deliveriesPerMinute: "notice",
  failedAuthPerMinute: "notice",
  trustProxy: "notice",
  drainTimeout: shown("cli/serve.test.ts", "ends within its drain time"),
  logLevel: shown("journey/settings.test.ts", "the log level"),
};

/** Values for settings that have no effect yet. */
const SAMPLE: Record<string, string> = {
  webhookListen: ":1",
  sandbox: "none",
  deliveriesPerMinute: "5",
  failedAuthPerMinute: "5",
  trustProxy: "10.0.0.1",
};

interface Schema {
  properties?: Record<string, Schema>;
  type?: string | string[];
}

/** The keys of a kind of file; of our own blocks and of agentDefaults, the keys inside. */
function keysOf(kind: string): string[] {
  const { properties = {} } = JSON.parse(readSchema(`v1alpha1/${kind}.schema.json`)) as Schema;
  return Object.entries(properties).flatMap(([key, schema]) =>
    ["millrace", "agentDefaults"].includes(key)
      ? Object.keys(schema.properties ?? {}).map((inner) => `${key}.${inner}`)
      : [key],
  );
}

function expectTest([file, name]: [string, string]): void {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  expect(text, `${file} has no test "${name}"`).toContain(name);
}

async function expectEvidence(evidence: Evidence): Promise<void> {
  if (evidence === "for readers") return;
  if ("shownBy" in evidence) return expectTest(evidence.shownBy);
  const { problems } = await load(evidence.files);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  const notices = problems.filter(({ severity }) => severity === "notice").map(({ message }) => message);
  expect(notices).toContainEqual(
    expect.stringMatching(new RegExp(`${evidence.notice}.*: has no effect on this server yet`)),
  );
}

describe("every key of a definition has an effect that a test shows, or a notice that it has none yet", () => {
  test.each(DEFINITION_SCHEMAS.flatMap((kind) => keysOf(kind).map((key) => [kind, key] as const)))(
    "%s: %s",
    async (kind, key) => {
      const evidence = EVIDENCE[kind]?.[key] ?? EVIDENCE[kind]?.["*"];
      expect(evidence, "there is no evidence for this key").toBeDefined();
      if (evidence) await expectEvidence(evidence);
    },
  );

  test.each(Object.keys(TRIGGERS))("triggers of %s", async (provider) => {
    const evidence = TRIGGERS[provider];
    if (evidence) await expectEvidence(evidence);
  });
});

describe("every setting has an effect that a test shows, or a notice that it has none yet", () => {
  test.each(Object.keys(settings))("%s", (name) => {
    const evidence = SETTINGS[name];
    expect(evidence, "there is no evidence for this setting").toBeDefined();
    if (evidence === "notice") {
      const { env } = settings[name as keyof typeof settings];
      const { config, origins } = loadConfig({ env: { [env]: SAMPLE[name] } });
      expect(settingNotices(config, origins)).toContain(`${env} has no effect on this server yet`);
    } else if (evidence) expectTest(evidence.shownBy);
  });

  test.each(["forges", "retention"])("%s: in millrace.yaml", (name) => {
    const content = { forges: { github: { baseUrl: "https://github.com" } }, retention: { runs: "1h" } };
    const { config, origins } = loadConfig({ file: { path: "millrace.yaml", content } });
    expect(settingNotices(config, origins)).toContain(`${name}: has no effect on this server yet`);
  });

  test.each<[string, ShownBy]>([
    ["factories", shown("journey/settings.test.ts", "factories of the settings file")],
    ["harnesses", shown("runs/harness.test.ts", "runs an agent with the harness that its definition names")],
    ["secrets", shown("secrets/secrets.test.ts", "may be kept outside")],
  ])("%s: in millrace.yaml", (_, { shownBy }) => expectTest(shownBy));
});
