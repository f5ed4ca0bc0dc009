import type { Automation, Definition } from "../definitions/definition.ts";
import { DEFAULT_AGENT } from "../definitions/definition.ts";
import { newUuid } from "../id.ts";
import type { Principal } from "../principals/principal.ts";
import type { ServedDefinition } from "../reconcile/served.ts";
import {
  agentConfig,
  DEFAULT_EXECUTION,
  narrowSecrets,
  requestedExecution,
  requestedSkills,
  runExecution,
} from "./agent-config.ts";
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
  const principal = agentPrincipal(factory, automation.agent);
  return {
    factoryUid: uid,
    automationUid: served.uidOf("automation", automation.name) ?? null,
    agentUid,
    title: automation.name,
    creator: principal,
    executor: principal,
    ancestors: [],
    scheduleId: null,
    skills: [],
    config: agentConfig(automation.name, agent, automation.execution),
    execution: runExecution(served.definition, automation.execution),
    metadata: {},
  };
}

/** What a request for a run says. */
export interface RunRequest {
  /** Empty when the skill says it all. */
  prompt: string;
  title?: string;
  skill?: string;
  config?: AmbientAgentConfig;
  metadata?: Record<string, string>;
  attachments?: NewAttachment[];
  /** The run that it is started from. */
  parent?: { id: string; ancestors: readonly string[]; metadata: Record<string, string> };
}

/** Where a run belongs: a factory, and the agent of it that takes the run. */
export interface RunPlace {
  factory: RunFactory;
  agent: string;
}

/**
 * A run that somebody asked for, with the agent of a factory or, without one, with the server's default harness.
 * @throws MillraceError `not_authorized` when it asks for a secret that the agent is not granted
 */
export function requestedRun(
  request: RunRequest,
  creator: Principal,
  source: RunSource,
  place: RunPlace | undefined,
): NewRun {
  const definition = place?.factory.served.definition;
  const agent = definition?.agents.find(({ name }) => name === place?.agent);
  const own = request.config ?? {};
  const execution = requestedExecution(agent?.execution ?? DEFAULT_EXECUTION, own);
  const granted = definition
    ? runExecution(definition, execution)
    : { harness: execution.harness, secrets: [] };
  const skills = requestedSkills(request.skill, own);
  const [skill] = skills;
  const name = own.name ?? skill?.name ?? agent?.name ?? DEFAULT_AGENT;
  const { parent } = request;
  return {
    id: newUuid(),
    factoryUid: place?.factory.uid ?? null,
    automationUid: null,
    agentUid: place?.factory.served.uidOf("agent", place.agent) ?? null,
    webhookUid: null,
    title: request.title ?? titleOf(request.prompt, name),
    prompt: request.prompt,
    source,
    creator,
    executor: place ? agentPrincipal(place.factory, place.agent) : creator,
    ancestors: parent ? [...parent.ancestors, parent.id] : [],
    scheduleId: null,
    skills,
    config: {
      ...agentConfig(name, agent, execution),
      ...own,
      name,
      ...(skill ? { skill_spec: skill.spec, skills: skills.map(({ spec }) => spec) } : {}),
      ...shownHarness(execution),
    },
    execution: { ...granted, secrets: narrowSecrets(granted.secrets, own) },
    metadata: { ...parent?.metadata, ...request.metadata },
    attachments: request.attachments ?? [],
  };
}

/** The agent that a factory's run goes to when nobody names one: its foreman. */
export function foremanOf(definition: Definition): string {
  return definition.agents.find((agent) => agent.type === "FOREMAN")?.name ?? DEFAULT_AGENT;
}

/** An agent as somebody who acts. */
function agentPrincipal({ uid, served }: RunFactory, name: string): Principal {
  return { uid: served.uidOf("agent", name) ?? uid, type: "service_account", displayName: name };
}

/** What was asked for and what was inherited, together. */
function shownHarness(execution: typeof DEFAULT_EXECUTION): Pick<AmbientAgentConfig, "harness" | "model_id"> {
  const { harness, model_id } = agentConfig("", undefined, execution);
  return { ...(harness ? { harness } : {}), ...(model_id === undefined ? {} : { model_id }) };
}

const LONGEST_TITLE = 80;

/** The first line of a prompt, shortened; without a prompt, what the run is called otherwise. */
function titleOf(prompt: string, name: string): string {
  const line =
    prompt
      .split("\n")
      .find((text) => text.trim() !== "")
      ?.trim() ?? name;
  // By characters and not by halves of them.
  const characters = [...line];
  return characters.length > LONGEST_TITLE ? `${characters.slice(0, LONGEST_TITLE - 1).join("")}…` : line;
}
