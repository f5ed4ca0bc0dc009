import type { Agent, Automation, Definition, Execution } from "../definitions/definition.ts";
import { DEFAULT_AGENT } from "../definitions/definition.ts";
import { newUuid } from "../id.ts";
import type { Principal } from "../principals/principal.ts";
import type { ServedDefinition } from "../reconcile/served.ts";
import type { AmbientAgentConfig, NewAttachment, NewRun, RunSource } from "./run.ts";

/** A factory as a run needs it. */
export interface RunFactory {
  uid: string;
  served: ServedDefinition;
}

/** What an automation's run is made of, but for what is different at each event. */
export type AutomationTemplate = Omit<NewRun, "id" | "prompt" | "attachments" | "webhookUid" | "source">;

/** Resolves once what every run of an automation has in common. */
export function automationTemplate(factory: RunFactory, automation: Automation): AutomationTemplate {
  const { served, uid } = factory;
  const agent = served.definition.agents.find(({ name }) => name === automation.agent);
  const agentUid = served.uidOf("agent", automation.agent) ?? null;
  return {
    factoryUid: uid,
    automationUid: served.uidOf("automation", automation.name) ?? null,
    agentUid,
    title: automation.name,
    creator: { uid: agentUid ?? uid, type: "service_account", displayName: automation.agent },
    config: agentConfig(automation.name, agent, automation.execution),
    execution: runExecution(served.definition, automation.execution),
    metadata: {},
  };
}

/** What a request for a run says. */
export interface RunRequest {
  prompt: string;
  title?: string;
  config?: AmbientAgentConfig;
  metadata?: Record<string, string>;
  attachments?: NewAttachment[];
}

/** A run that somebody asked for, with the agent of a factory or, without one, with the server's default harness. */
export function requestedRun(
  request: RunRequest,
  creator: Principal,
  source: RunSource,
  place: { factory: RunFactory; agent: string } | undefined,
): NewRun {
  const definition = place?.factory.served.definition;
  const agent = definition?.agents.find(({ name }) => name === place?.agent);
  const execution: Execution = agent?.execution ?? { harness: { type: "oz" }, secrets: [], mcpServers: {} };
  const own = request.config ?? {};
  const model = own.model_id ?? execution.harness.model;
  const harness = { ...execution.harness, ...(model === undefined ? {} : { model }) };
  return {
    id: newUuid(),
    factoryUid: place?.factory.uid ?? null,
    automationUid: null,
    agentUid: place?.factory.served.uidOf("agent", place.agent) ?? null,
    webhookUid: null,
    title: request.title ?? titleOf(request.prompt),
    prompt: request.prompt,
    source,
    creator,
    config: { ...agentConfig(agent?.name ?? DEFAULT_AGENT, agent, { ...execution, harness }), ...own },
    execution: definition ? runExecution(definition, { ...execution, harness }) : { harness, secrets: [] },
    metadata: request.metadata ?? {},
    attachments: request.attachments ?? [],
  };
}

/** The agent that a factory's run goes to when nobody names one: its foreman. */
export function foremanOf(definition: Definition): string {
  return definition.agents.find((agent) => agent.type === "FOREMAN")?.name ?? DEFAULT_AGENT;
}

function agentConfig(name: string, agent: Agent | undefined, execution: Execution): AmbientAgentConfig {
  const { harness, environmentId, runner, workerHost } = execution;
  return {
    name,
    ...(harness.model === undefined ? {} : { model_id: harness.model }),
    ...(agent?.prompt ? { base_prompt: agent.prompt } : {}),
    ...(environmentId === undefined ? {} : { environment_id: environmentId }),
    ...(runner === undefined ? {} : { runner_id: runner }),
    ...(workerHost === undefined ? {} : { worker_host: workerHost }),
    harness: {
      type: harness.type,
      ...(harness.model === undefined ? {} : { model_id: harness.model }),
      ...(harness.reasoningLevel === undefined ? {} : { reasoning_level: harness.reasoningLevel }),
    },
  };
}

/** The factory-wide secrets and the agent's own; what a webhook authenticates with is never an agent's business. */
function runExecution(definition: Definition, execution: Execution) {
  const credentials = new Set(definition.webhooks.map((webhook) => webhook.secretName));
  const granted = [...new Set([...definition.factory.secrets, ...execution.secrets])];
  return { harness: execution.harness, secrets: granted.filter((name) => !credentials.has(name)) };
}

const LONGEST_TITLE = 80;

/** The first line of a prompt, shortened. */
function titleOf(prompt: string): string {
  const line =
    prompt
      .split("\n")
      .find((text) => text.trim() !== "")
      ?.trim() ?? "Run";
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1)}…` : line;
}
