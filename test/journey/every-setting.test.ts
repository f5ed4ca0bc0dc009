import { describe, expect, test } from "vitest";
import { settings } from "../../src/config/settings.ts";
import { titlesOf } from "../given/titles.ts";
import { type ShownBy, shown } from "./key-evidence.ts";

const SETTINGS: Record<string, ShownBy> = {
  listen: shown("cli/serve.test.ts", "refuses an address that another program listens on"),
  proxySocket: shown("ingress/proxy-socket.test.ts", "is believed who sent a request"),
  publicMetrics: shown("api/metrics.test.ts", "without a key where the settings open them"),
  defaultFactory: shown("api/default-factory.test.ts", "belongs to the factory of the settings"),
  publicUrl: shown("journey/settings.test.ts", "public and webhook URL"),
  webhookUrl: shown("journey/settings.test.ts", "public and webhook URL"),
  webhookListen: shown("ingress/budgets.test.ts", "a listener of its own serves the ingress"),
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
  hookSecret: shown("ingress/push-hook.test.ts", "a push has the source looked at"),
  hookSecretFile: shown("ingress/push-hook.test.ts", "a secret in a file may change"),
  gitSshKeyFile: shown("journey/settings.test.ts", "an ssh key"),
  gitKnownHostsFile: shown("journey/settings.test.ts", "an ssh key"),
  agentCommand: shown("runs/harness.test.ts", "without an agent command says what to set"),
  runConcurrency: shown("runs/queue.test.ts", "runs so many agents at once"),
  runTimeout: shown("runs/execute.test.ts", "that runs too long is ended"),
  workspaceQuota: shown("runs/end-while-preparing.test.ts", "a workspace that grows over its quota"),
  workspaceFiles: shown("runs/disk-full.test.ts", "in files is ended by their number"),
  workspacesDir: shown("runs/workspaces-dir.test.ts", "workspaces lie in the folder that the settings name"),
  diskTotal: shown("runs/disk-total.test.ts", "above the total, workspaces of ended runs go"),
  mirrorLimit: shown("git/mirror-limit.test.ts", "the refusal names the limit"),
  diskReserve: shown("runs/disk-full.test.ts", "every delivery is taken meanwhile and afterwards"),
  sandbox: shown(
    "runs/sandbox/choose-sandbox.test.ts",
    "that is named and does not work keeps the server from starting",
  ),
  sandboxNetwork: shown("runs/sandbox/bubblewrap.test.ts", "without network reaches nothing"),
  sandboxPaths: shown("runs/sandbox/bubblewrap.test.ts", "sees what the settings show"),
  runProcesses: shown("runs/misbehave.test.ts", "multiplies without end"),
  containerCommand: shown(
    "runs/sandbox/container.test.ts",
    "the engine is the command that the settings name",
  ),
  containerOptions: shown(
    "runs/sandbox/container.test.ts",
    "the engine is the command that the settings name",
  ),
  containerImage: shown("runs/sandbox/container.test.ts", "the engine is the command that the settings name"),
  deliveriesPerMinute: shown("ingress/budgets.test.ts", "a webhook takes so many authenticated deliveries"),
  publicValidate: shown(
    "api/factory-files.test.ts",
    "without a key is refused, unless the settings open it to anybody",
  ),
  failedAuthPerMinute: shown("ingress/budgets.test.ts", "an address that fails too often is kept out"),
  trustProxy: shown("ingress/budgets.test.ts", "behind a trusted proxy, the failures of one client"),
  sessionIdleTimeout: shown("api/sessions.test.ts", "when it was not used for so long"),
  sessionLifetime: shown("api/sessions.test.ts", "however much it is used"),
  drainTimeout: shown("cli/serve.test.ts", "ends within its drain time"),
  logLevel: shown("journey/settings.test.ts", "the log level"),
};

function expectTest({ shownBy: [file, name] }: ShownBy): void {
  expect(titlesOf(file)).toContainEqual(expect.stringContaining(name));
}

describe("every setting has an effect that a test shows", () => {
  test.each(Object.keys(settings))("%s", (name) => {
    const evidence = SETTINGS[name];
    expect(evidence, "there is no evidence for this setting").toBeDefined();
    if (evidence) expectTest(evidence);
  });

  test.each<[string, ShownBy]>([
    ["factories.hookSecret", shown("ingress/push-hook.test.ts", "a factory may have a secret of its own")],
    ["factories.managed", shown("journey/kept.test.ts", "that the settings name is made")],
    ["factories.github", shown("feedback/pull-requests.test.ts", "that says what merging it changes")],
    [
      "factories.github.token",
      shown("feedback/production-commits.test.ts", "with a token instead of an app"),
    ],
    ["factories.github.check", shown("feedback/settings.test.ts", "two factories of one repository")],
    ["factories", shown("journey/settings.test.ts", "factories of the settings file")],
    ["harnesses", shown("runs/harness.test.ts", "runs an agent with the harness that its definition names")],
    ["secrets", shown("secrets/secrets.test.ts", "may be kept outside")],
    ["forges", shown("runs/repositories.test.ts", "a forge's token opens private repositories")],
    ["forges.app", shown("runs/push-credential.test.ts", "gets a token for its repository alone")],
    ["retention.runs", shown("runs/retention.test.ts", "a run goes so long after its end")],
    ["retention.transcripts", shown("runs/retention.test.ts", "a transcript goes so long after")],
    ["retention.workspaces", shown("runs/retention.test.ts", "the workspace of a run goes so long after")],
    ["retention.deliveries", shown("ingress/retention.test.ts", "the log can be kept for longer")],
  ])("%s: in millrace.yaml", (_, evidence) => expectTest(evidence));
});
