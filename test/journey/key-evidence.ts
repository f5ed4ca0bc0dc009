import { automationWith, FACTORY, withFactoryLines } from "../given/definition.ts";
import type { Files } from "../given/folder.ts";
import { type Evidence, type Notice, shown } from "./evidence.ts";
import { GROUPED, SEQUENCES } from "./evidence-of-groups.ts";

const AUDIENCES = shown(
  "api/agent/identity-tokens.system.ts",
  "an audience that its automation, its agent or its factory does not list",
);
const HELD = shown("executor/network/held-runs.system.ts", "reaches the API and its list");
const LOCKED = shown("definitions/network-rules.test.ts", "below a locked list");
const INJECTED = shown("executor/network/measured-usage.system.ts", "its key is put in on the way");
const PREVIOUS = shown(
  "api/webhooks/previous-secret-file.system.ts",
  "accepts the secret that its file names as the previous one",
);
const HANDSHAKE = shown(
  "ingress/handshakes.test.ts",
  "is answered as its documentation says when it is signed, and is not a delivery",
);
/** What every file with a block of millrace can say of the network of its runs. */
const NETWORK: Record<string, Evidence> = {
  "millrace.network": HELD,
  "millrace.network.allow": HELD,
  "millrace.network.locked": LOCKED,
};
const SERVERS = shown("journey/mcp-servers.system.ts", "servers of a definition start with their secrets");
const IDLE = shown("journey/mcp-servers.system.ts", "waits for messages as long as its file says");
const PRIORITY = shown("definitions/execution.test.ts", "the priority of runs is");
const FALLBACKS = shown("api/factories/holds.system.ts", "a run whose agent names other models");
const GUARDED: Record<string, Evidence> = {
  ...NETWORK,
  "millrace.mcpServers": SERVERS,
  "millrace.mcpServers.*": SERVERS,
  "millrace.inject": INJECTED,
  "millrace.inject.hosts": INJECTED,
  "millrace.inject.header": INJECTED,
};
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

/** The keys of a harness, which factory defaults, agents and automations share. */
const harnessKeys = (at: string): Record<string, Evidence> => ({
  [at]: shown("journey/inheritance.system.ts", "what factory, agent and automation say"),
  [`${at}.type`]: shown("journey/inheritance.system.ts", "what factory, agent and automation say"),
  [`${at}.model`]: shown("journey/inheritance.system.ts", "what factory, agent and automation say"),
  [`${at}.reasoningLevel`]: shown(
    "executor/harness/harness.system.ts",
    "runs an agent with the harness that its definition",
  ),
  [`${at}.auth`]: shown("executor/harness/harness-auth.story.ts", "the key that a definition names"),
  [`${at}.auth.*`]: shown("executor/harness/harness-auth.story.ts", "the key that a definition names"),
});

/**
 * The evidence for each key of each kind of file, by the path of the key. A key without evidence of its own has that of
 * `x.*` for a key x above it, or the notice of x: what has no effect as a whole has none in its parts.
 */
export const KEY_EVIDENCE: Record<string, Record<string, Evidence>> = {
  filter_test: {
    ...SEQUENCES,
    description: "for readers",
    payload: shown("definitions/filter-tests.test.ts", "that expects what the filter does says nothing"),
    fires: shown("definitions/filter-tests.test.ts", "that expects a run which does not start is an error"),
    webhook: shown("definitions/filter-tests.test.ts", "that names a webhook is run against the triggers"),
    event: shown("definitions/filter-tests.test.ts", "of a trigger of GitHub says which event it is about"),
  },
  factory: {
    schemaVersion: shown("definitions/loading/whole-tree.test.ts", "another schema version"),
    name: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    description: "for readers",
    alias: noticed("alias", withFactoryLines("alias: shop\n")),
    credentialStrategy: noticed("credentialStrategy", withFactoryLines("credentialStrategy: CREATOR\n")),
    repositories: shown("executor/execution/repositories.system.ts", "finds the repositories of its factory"),
    "repositories.*": shown(
      "executor/execution/repositories.system.ts",
      "finds the repositories of its factory",
    ),
    secrets: shown("executor/execution/execute.system.ts", "gets an environment built from nothing"),
    mcpServers: noticed("mcpServers", withFactoryLines("mcpServers: { x: { warpId: y } }\n")),
    cloudProviders: noticed("cloudProviders", withFactoryLines("cloudProviders: { aws: { roleArn: x } }\n")),
    providers: noticed("cloudProviders", withFactoryLines("providers: { aws: { roleArn: x } }\n")),
    integrations: noticed("integrations", withFactoryLines("integrations: [{ type: slack }]\n")),
    codeForges: noticed("codeForges", withFactoryLines("codeForges: [GITHUB]\n")),
    "agentDefaults.model": noticed("model", {
      ...FACTORY,
      "factory.yaml": String(FACTORY["factory.yaml"]).replace(
        /agentDefaults: .*/,
        "agentDefaults: { model: m }",
      ),
    }),
    ...harnessKeys("agentDefaults.harness"),
    "agentDefaults.runner": shown("executor/workspace/setup.story.ts", "what a definition names counts"),
    "agentDefaults.environmentId": shown(
      "runs/agents/environment-of-definition.story.ts",
      "environmentId of agentDefaults",
    ),
    "agentDefaults.secrets": shown("journey/inheritance.system.ts", "what factory, agent and automation say"),
    "agentDefaults.mcpServers": noticed("mcpServers", defaults("mcpServers: { x: { warpId: y } }")),
    "agentDefaults.workerHost": shown(
      "definitions/worker-hosts.test.ts",
      "is what the agent, its automation or the factory says last",
    ),
    ...GUARDED,
    "millrace.identity": AUDIENCES,
    "millrace.identity.audiences": AUDIENCES,
    "millrace.notify": shown("notifications/events.story.ts", "tell of a blocked run once"),
    "millrace.notify.*": shown("notifications/events.story.ts", "tell of a blocked run once"),
    "millrace.pruneGuard": shown(
      "reconcile/prune-guard.story.ts",
      "applies nothing until someone confirms the deletions",
    ),
    "millrace.repositories": shown(
      "executor/execution/repositories.system.ts",
      "runs start without repositories that their factory calls optional",
    ),
    "millrace.runsPerHour": shown("journey/caps.story.ts", "a factory starts so many runs in an hour"),
    "millrace.budget": shown("journey/budgets.story.ts", "under a budget of $1 for the day"),
    "millrace.budget.*": shown("journey/budgets.story.ts", "skip ends further runs at once"),
  },
  agent: {
    description: "for readers",
    agentType: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    credentialStrategy: noticed("credentialStrategy", agent("credentialStrategy: CREATOR")),
    model: noticed("model", agent("model: m")),
    ...harnessKeys("harness"),
    runner: shown("executor/workspace/setup.story.ts", "what a definition names counts"),
    environmentId: shown("runs/agents/environment-of-definition.story.ts", "environmentId of agentDefaults"),
    secrets: shown("executor/execution/execute.system.ts", "gets an environment built from nothing"),
    mcpServers: noticed("mcpServers", agent("mcpServers: { x: { warpId: y } }")),
    workerHost: shown(
      "definitions/worker-hosts.test.ts",
      "is what the agent, its automation or the factory says last",
    ),
    "millrace.budget": shown("runs/output/budgets.system.ts", "is limited by its agent and its automation"),
    "millrace.budget.*": shown("runs/output/budgets.system.ts", "is limited by its agent and its automation"),
    ...GUARDED,
    "millrace.idleTimeoutMinutes": IDLE,
    "millrace.priority": PRIORITY,
    "millrace.harness": FALLBACKS,
    "millrace.harness.fallbackModels": FALLBACKS,
    "millrace.identity": AUDIENCES,
    "millrace.identity.audiences": AUDIENCES,
    "millrace.mayStart": shown("api/runs/start-child.system.ts", "starts none that its grant does not name"),
    "millrace.children": shown("api/runs/start-child.system.ts", "starts no more than its grant allows"),
    "millrace.depth": shown("definitions/start-grants.test.ts", "is what the agent says"),
  },
  automation: {
    enabled: shown("journey/inheritance.system.ts", "a disabled automation"),
    agent: shown("journey/inheritance.system.ts", "what factory, agent and automation say"),
    triggers: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    "triggers.provider": shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    "triggers.event": shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    "triggers.filter": shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    "triggers.filter.payload": shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    "triggers.filter.webhook_ids": shown("journey/inheritance.system.ts", "listens to a webhook by its uid"),
    // The keys of every other provider.
    "triggers.filter.*": shown("definitions/events/provider-events.test.ts", "is tested against its filter"),
    "triggers.filter.schedule_ids": shown(
      "runs/schedules/scheduled-runs.system.ts",
      "starts the automations that name it too",
    ),
    "triggers.schedule": shown("journey/schedules.story.ts", "a schedule in a definition starts runs"),
    "triggers.schedule.*": shown("journey/schedules.story.ts", "a schedule in a definition starts runs"),
    "triggers.millrace.webhooks": shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    model: noticed("model", automation("model: m\n")),
    ...harnessKeys("harness"),
    runner: shown("executor/workspace/setup.story.ts", "what a definition names counts"),
    environmentId: shown("runs/agents/environment-of-definition.story.ts", "environmentId of agentDefaults"),
    secrets: shown("journey/inheritance.system.ts", "what factory, agent and automation say"),
    mcpServers: noticed("mcpServers", automation("mcpServers: { x: { warpId: y } }\n")),
    workerHost: shown(
      "definitions/worker-hosts.test.ts",
      "is what the agent, its automation or the factory says last",
    ),
    "millrace.output": shown("definitions/output-schema.test.ts", "has the schema of the file that it names"),
    "millrace.concurrency": shown("journey/caps.story.ts", "an automation executes a limited number of runs"),
    ...GROUPED,
    "millrace.budget": shown("runs/output/budgets.system.ts", "is limited by its agent and its automation"),
    "millrace.budget.*": shown("runs/output/budgets.system.ts", "is limited by its agent and its automation"),
    ...GUARDED,
    "millrace.idleTimeoutMinutes": IDLE,
    "millrace.priority": PRIORITY,
    "millrace.harness": FALLBACKS,
    "millrace.harness.fallbackModels": FALLBACKS,
    "millrace.identity": AUDIENCES,
    "millrace.identity.audiences": AUDIENCES,
    "millrace.mayStart": shown("api/runs/start-child.system.ts", "has the grant of its automation"),
    "millrace.children": shown(
      "definitions/start-grants.test.ts",
      "in place of which is what the automation says",
    ),
    "millrace.depth": shown("api/runs/start-child.system.ts", "has the grant of its automation"),
    "millrace.push": shown(
      "executor/execution/push-credential.story.ts",
      "gets a token for its repository alone",
    ),
    "millrace.task": shown("ingress/run-titles.test.ts", "makes a task of the run that it starts"),
    "millrace.title": shown("ingress/run-titles.test.ts", "is called by its automation's template"),
    "millrace.timezone": shown("runs/schedules/due-times.test.ts", "in the time zone of the automation"),
    "millrace.missed": shown("runs/schedules/due-times.test.ts", "start one run for the newest of them"),
  },
  webhook: {
    authMode: shown("ingress/url-token.test.ts", "takes the token as the last segment of its URL"),
    signatureScheme: shown("ingress/signed-deliveries.test.ts", "of GitHub starts a run once"),
    secretName: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
    deliveryIdHeader: shown("ingress/receive.test.ts", "is the header that the webhook names"),
    enabled: shown("ingress/receive.test.ts", "to a disabled webhook finds nothing"),
    "millrace.previousSecretName": PREVIOUS,
    "millrace.until": PREVIOUS,
    "millrace.provider": shown(
      "ingress/provider-triggers.test.ts",
      "starts the automations that listen to its provider's event",
    ),
    "millrace.scheme": shown(
      "ingress/signed-deliveries.test.ts",
      "by a scheme that the webhook file describes",
    ),
    "millrace.scheme.*": shown(
      "ingress/published-vectors.test.ts",
      "a custom scheme can describe a provider",
    ),
    "millrace.scheme.timestamp.*": shown(
      "ingress/published-vectors.test.ts",
      "with a timestamp in the signature header",
    ),
    "millrace.scheme.handshake": HANDSHAKE,
    "millrace.scheme.handshake.*": HANDSHAKE,
  },
  runner: {
    "millrace.cacheSetup": shown(
      "executor/workspace/setup-snapshots.story.ts",
      "setup that has secrets is kept only where its environment says so",
    ),
    ...NETWORK,
    description: "for readers",
    setupCommands: shown("executor/workspace/setup.story.ts", "and then of the runner run in the workspace"),
    instanceShape: shown("runs/turn/needs.test.ts", "the machine of a runner"),
    "instanceShape.*": shown("runs/turn/needs.test.ts", "the machine of a runner"),
    "platform.linux": shown("runs/turn/needs.test.ts", "the machine of a runner"),
    "platform.linux.dockerImage": shown("runs/turn/needs.test.ts", "the machine of a runner"),
    "platform.linux.registryCredentialSecretName": shown(
      "executor/sandbox/registry-credential.story.ts",
      "in a file that is gone afterwards",
    ),
    platform: shown("definitions/rules/ignored-runners.test.ts", "when it is validated by the server"),
    "platform.*": shown("definitions/rules/ignored-runners.test.ts", "when it is validated by the server"),
  },
  outbound: {
    url: shown("outbound-webhooks/events.system.ts", "gets the events of a run"),
    secretName: shown("outbound-webhooks/events.system.ts", "gets the events of a run"),
    events: shown("outbound-webhooks/events.system.ts", "gets the events of a run"),
    filter: shown("outbound-webhooks/events.system.ts", "gets only what its filter matches"),
    enabled: shown("outbound-webhooks/events.system.ts", "nothing while it is disabled"),
    ordered: shown("outbound-webhooks/sending.system.ts", "keeps the order of the events of a run"),
  },
  scorer: { "*": noticed("scorers", scorer) },
  benchmark_suite: { "*": noticed("benchmarks", suite) },
  benchmark_suite_task: { "*": noticed("benchmarks", suite) },
};

/** The evidence for the triggers of each provider. */
export const TRIGGER_EVIDENCE: Record<string, Evidence> = {
  webhook: shown("journey/main-story.test.ts", "a commit becomes a webhook"),
  github: shown("ingress/github-triggers.system.ts", "starts the automations that listen to its event"),
  schedule: shown("journey/schedules.story.ts", "a schedule in a definition starts runs"),
  factory: shown(
    "runs/triggers/triggered-runs.test.ts",
    "the end of a run starts the automations whose triggers match it",
  ),
  "azure-devops": shown("definitions/events/provider-events.test.ts", "one of Azure DevOps"),
  teams: shown("definitions/events/provider-events.test.ts", "one of Microsoft Teams"),
  ...Object.fromEntries(
    ["gitlab", "linear", "jira", "slack"].map((provider) => [
      provider,
      shown(
        "ingress/provider-triggers.test.ts",
        "starts the automations that listen to its provider's event",
      ),
    ]),
  ),
};
