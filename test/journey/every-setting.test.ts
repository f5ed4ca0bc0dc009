import { describe, expect, test } from "vitest";
import { settings } from "../../src/config/settings.ts";
import { titlesOf } from "../given/titles.ts";
import { type ShownBy, shown } from "./evidence.ts";

const SETTINGS: Record<string, ShownBy> = {
  listen: shown("cli/server/serve.story.ts", "refuses an address that another program listens on"),
  proxySocket: shown("ingress/proxy-socket.story.ts", "is believed who sent a request"),
  publicMetrics: shown("api/admin/metrics.story.ts", "without a key where the settings open them"),
  defaultFactory: shown("api/runs/default-factory.system.ts", "belongs to the factory of the settings"),
  publicUrl: shown("journey/settings.system.ts", "public and webhook URL"),
  webhookUrl: shown("journey/settings.system.ts", "public and webhook URL"),
  webhookListen: shown("ingress/budgets.system.ts", "a listener of its own serves the ingress"),
  keepAlive: shown("server/http/keep-alive.test.ts", "stays open for as long as the settings say"),
  dataDir: shown("cli/server/serve.story.ts", "refuses a data folder that another server has"),
  databaseUrl: shown("journey/settings.system.ts", "public and webhook URL"),
  freshStart: shown("store/sqlite/lost-database.story.ts", "starts anew only when the settings say so"),
  masterKey: shown("secrets/master-key.story.ts", "that is wrong keeps the server from starting"),
  masterKeyFile: shown("secrets/master-key.story.ts", "may come from a file"),
  adminKey: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
  branch: shown("journey/settings.system.ts", "branch, folder and poll interval"),
  path: shown("journey/settings.system.ts", "branch, folder and poll interval"),
  pollInterval: shown("journey/settings.system.ts", "branch, folder and poll interval"),
  gitToken: shown("journey/settings.system.ts", "branch, folder and poll interval"),
  gitTokenFile: shown("journey/settings.system.ts", "a token in a file"),
  hookSecret: shown("ingress/push-hooks/push-hook.system.ts", "a push syncs the source"),
  hookSecretFile: shown("ingress/push-hooks/hook-secrets.story.ts", "a secret in a file may change"),
  gitSshKeyFile: shown("journey/settings.system.ts", "a token in a file and an ssh key"),
  gitKnownHostsFile: shown("journey/settings.system.ts", "a token in a file and an ssh key"),
  agentCommand: shown("executor/harness/harness.system.ts", "without an agent command says what to set"),
  runConcurrency: shown("runs/queue.test.ts", "runs at most that many agents at the same time"),
  runTimeout: shown("executor/execution/run-timeout.story.ts", "an agent that runs too long is ended"),
  workerLease: shown("executor/worker/remote-runs.story.ts", "a worker that is gone for its lease"),
  workers: shown("api/workers/worker-host.system.ts", "leaves every run to workers"),
  workerMaxWait: shown("runs/end-unfitted.test.ts", "runs that no worker has fitted for too long end"),
  workerReturnWait: shown(
    "api/workers/returning-turns.test.ts",
    "is taken by any other worker when the settings say not to wait",
  ),
  workspaceQuota: shown(
    "executor/execution/end-while-preparing.story.ts",
    "a workspace that grows over its quota",
  ),
  workspaceFiles: shown("executor/workspace/disk-full.system.ts", "in files is ended by their number"),
  workspacesDir: shown(
    "executor/workspace/workspaces-dir.story.ts",
    "workspaces lie in the folder that the settings name",
  ),
  diskTotal: shown("executor/workspace/disk-total.test.ts", "above the total, workspaces of ended runs go"),
  setupSnapshots: shown(
    "executor/workspace/setup-snapshots.story.ts",
    "with a limit of 0 there are no snapshots",
  ),
  mirrorLimit: shown("git/mirrors/mirror-limit.test.ts", "the refusal names the limit"),
  diskReserve: shown(
    "executor/workspace/disk-full.system.ts",
    "every delivery is accepted during and after that",
  ),
  sandbox: shown(
    "executor/sandbox/choose-sandbox.story.ts",
    "that is named and does not work keeps the server from starting",
  ),
  sandboxCommand: shown("executor/worker/backend/backends.story.ts", "has a run executed by its backend"),
  sandboxNetwork: shown("executor/sandbox/bubblewrap.system.ts", "without network reaches nothing"),
  sandboxPaths: shown("executor/sandbox/bubblewrap.system.ts", "sees what the settings show"),
  runProcesses: shown("executor/misbehave.story.ts", "multiplies without end"),
  runMemory: shown(
    "executor/sandbox/container.system.ts",
    "with the memory and the processors that the settings allow",
  ),
  runCpus: shown(
    "executor/sandbox/container.system.ts",
    "with the memory and the processors that the settings allow",
  ),
  containerCommand: shown(
    "executor/sandbox/container.system.ts",
    "the engine is the command that the settings name",
  ),
  containerOptions: shown(
    "executor/sandbox/container.system.ts",
    "the engine is the command that the settings name",
  ),
  containerImage: shown(
    "executor/sandbox/container.system.ts",
    "the engine is the command that the settings name",
  ),
  deliveriesPerMinute: shown(
    "ingress/budgets.system.ts",
    "a webhook takes a limited number of authenticated deliveries",
  ),
  publicValidate: shown(
    "api/factories/factory-files.system.ts",
    "without a key are refused, unless the settings allow anyone to send them",
  ),
  failedAuthPerMinute: shown("ingress/budgets.system.ts", "an address that fails too often is blocked"),
  trustProxy: shown("ingress/budgets.system.ts", "behind a trusted proxy, the failures of one client"),
  sessionIdleTimeout: shown("api/admin/sessions.system.ts", "when it was idle for too long"),
  sessionLifetime: shown("api/admin/sessions.system.ts", "however much it is used"),
  setupTimeout: shown(
    "executor/execution/end-while-preparing.story.ts",
    "a setup command that takes longer than it may is ended",
  ),
  drainTimeout: shown("cli/server/serve.story.ts", "ends within its drain time"),
  outboundAllow: shown("outbound/address-rules.test.ts", "let requests to their networks"),
  logLevel: shown("journey/settings.system.ts", "the log level"),
  logFormat: shown("cli/server/log-format.story.ts", "with MILLRACE_LOG_FORMAT=text"),
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
    [
      "factories.hookSecret",
      shown("ingress/push-hooks/hook-secrets.story.ts", "a factory may have a secret of its own"),
    ],
    [
      "factories.managed",
      shown("journey/managed-factory.system.ts", "that the settings name is created once"),
    ],
    [
      "factories.goesOnWith",
      shown(
        "journey/hand-over.story.ts",
        "moves to a repository of one's own, with the URLs of its webhooks",
      ),
    ],
    ["factories.github", shown("feedback/pull-requests.story.ts", "that says what merging it changes")],
    [
      "factories.github.token",
      shown("feedback/production-commits.story.ts", "with a token instead of an app"),
    ],
    ["factories.github.check", shown("feedback/pull-requests.story.ts", "two factories of one repository")],
    ["factories", shown("journey/settings.system.ts", "factories of the settings file")],
    [
      "harnesses",
      shown("executor/harness/harness.system.ts", "runs an agent with the harness that its definition names"),
    ],
    ["secrets", shown("secrets/secrets.system.ts", "may be outside the store")],
    [
      "forges",
      shown("executor/execution/repositories.system.ts", "a forge's token opens private repositories"),
    ],
    [
      "forges.factories",
      shown(
        "executor/execution/forge-scopes.story.ts",
        "is not cloned from by a run of another, which is told what to add",
      ),
    ],
    [
      "forges.shared",
      shown("executor/execution/forge-scopes.story.ts", "is for every factory, and for runs of none"),
    ],
    [
      "workerEnvironment",
      shown(
        "executor/harness/worker-environment.story.ts",
        "is of several only for those that the settings name",
      ),
    ],
    [
      "forges.app",
      shown("executor/execution/push-credential.story.ts", "gets a token for its repository alone"),
    ],
    ["notifications", shown("notifications/targets.story.ts", "targets of the settings")],
    [
      "outbound",
      shown("outbound-webhooks/sending.system.ts", "of the settings tells of the factories that they name"),
    ],
    ["smtp", shown("notifications/targets.story.ts", "by mail")],
    ["prices", shown("api/usage/usage.test.ts", "by model says that the cost of one without a price")],
    ["retention.usage", shown("runs/retention.system.ts", "the usage of a run goes so long after")],
    ["retention.runs", shown("runs/retention.system.ts", "a run goes so long after its end")],
    ["retention.transcripts", shown("runs/retention.system.ts", "a transcript goes so long after")],
    ["retention.workspaces", shown("runs/retention.system.ts", "the workspace of a run goes so long after")],
    ["retention.deliveries", shown("ingress/retention.test.ts", "the log can be retained for longer")],
  ])("%s: in millrace.yaml", (_, evidence) => expectTest(evidence));
});
