import {
  type Agent,
  DEFAULT_AGENT,
  type Definition,
  type Execution,
  type Priority,
  type StartGrant,
} from "../../definitions/definition.ts";
import { grantOf, reducedGrant } from "../../definitions/start-grant.ts";
import { newUuid } from "../../id.ts";
import type { Principal } from "../../principals/principal.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import {
  agentConfig,
  checkHarnessSecret,
  DEFAULT_EXECUTION,
  narrowSecrets,
  requestedExecution,
  requestedSkills,
  runExecution,
} from "../agents/agent-config.ts";
import type { AgentIdentity } from "../agents/agent-identity.ts";
import { placementOf } from "../rules/placement.ts";
import { skillReference } from "../rules/skill-reference.ts";
import type { NewAttachment, NewRun } from "../run.ts";
import type { AmbientAgentConfig, RunExecution } from "../run-config.ts";
import type { RunSource } from "../run-source.ts";
import { networkAbove, runNetwork } from "../turn/network-policy.ts";

/** A factory as a run needs it. */
export interface RunFactory {
  uid: string;
  active: ActiveDefinition;
}

/** What a request for a run says. */
export interface RunRequest {
  /** Empty when the skill says it all. */
  prompt: string;
  title?: string | undefined;
  skill?: string | undefined;
  config?: AmbientAgentConfig;
  metadata?: Record<string, string> | undefined;
  attachments?: NewAttachment[];
  /** Names of the secrets that the environment of the run grants. */
  environmentSecrets?: readonly string[] | undefined;
  /** That of its family, where nothing of its own says one. */
  familyPriority?: Priority | undefined;
  /** The run that it is started from. */
  parent?:
    | {
        id: string;
        ancestors: readonly string[];
        metadata: Record<string, string>;
        execution: Pick<RunExecution, "starts" | "foreignAncestors" | "network">;
      }
    | undefined;
}

/** Who takes a run: an agent of a factory, or an identity that belongs to none. */
export type RunAgent = { factory: RunFactory; agent: string } | { identity: AgentIdentity };

/**
 * A run that someone asked for, as an agent or, without one, with the server's default harness.
 * @throws MillraceError `not_authorized` when it asks for a secret that the agent is not granted
 */
export function requestedRun(
  request: RunRequest,
  creator: Principal,
  source: RunSource,
  agent: RunAgent | undefined,
): NewRun {
  const own = request.config ?? {};
  const taker = takerOf(agent);
  const execution = requestedExecution(taker.execution, own);
  const environmentSecrets = request.environmentSecrets ?? [];
  checkHarnessSecret(own, execution.harness, taker.execution, [...taker.secrets, ...environmentSecrets]);
  const asked = requestedSkills(request.skill, own);
  const skills = asked.length > 0 ? asked : taker.skills.map(skillReference);
  const [skill] = skills;
  const name = own.name ?? skill?.name ?? taker.name;
  const inherited = agentConfig(name, taker.agent, execution, taker.mcpServers);
  const { parent } = request;
  const starts = ofDescendant(grantOf(taker.agent), parent?.execution.starts);
  const { foreignAncestors } = parent?.execution ?? {};
  return {
    id: newUuid(),
    factoryUid: taker.factoryUid,
    automationUid: null,
    agentUid: taker.agentUid,
    webhookUid: null,
    title: request.title ?? titleOf(request.prompt, name),
    prompt: request.prompt,
    source,
    creator,
    executor: taker.principal ?? creator,
    ancestors: parent ? [...parent.ancestors, parent.id] : [],
    scheduleId: null,
    skills,
    config: {
      ...(request.familyPriority === undefined ? {} : { priority: request.familyPriority }),
      ...inherited,
      ...taker.config,
      ...own,
      name,
      ...(skill ? { skill_spec: skill.spec, skills: skills.map(({ spec }) => spec) } : {}),
      ...(inherited.harness ? { harness: inherited.harness } : {}),
      ...(inherited.model_id === undefined ? {} : { model_id: inherited.model_id }),
    },
    execution: {
      harness: execution.harness,
      ...narrowSecrets(taker.secrets, own, environmentSecrets),
      ...(taker.inject ? { inject: taker.inject } : {}),
      ...runNetwork({
        factory: taker.definition?.factory.network,
        agent: taker.agent?.network,
        request: own.network,
        above: networkAbove(parent?.execution.network),
      }),
      ...(starts ? { starts } : {}),
      ...(foreignAncestors === undefined ? {} : { foreignAncestors }),
    },
    placement: placementIn(taker.definition, execution),
    metadata: { ...parent?.metadata, ...request.metadata },
    attachments: request.attachments ?? [],
  };
}

/** A run that someone with a key starts from one that may start none is not limited by that. */
function ofDescendant(grant: StartGrant | undefined, parent: StartGrant | undefined): StartGrant | undefined {
  return grant && parent ? reducedGrant(grant, parent.depth) : grant;
}

/** What a run has from who takes it. */
interface Taker {
  factoryUid: string | null;
  agentUid: string | null;
  principal?: Principal;
  name: string;
  agent?: Agent | undefined;
  /** Of its factory. */
  definition?: Definition;
  execution: Execution;
  secrets: readonly string[];
  inject?: RunExecution["inject"];
  skills: readonly string[];
  /** Those that the whole factory has. */
  mcpServers?: Execution["mcpServers"];
  /** What an identity says of its runs, beyond how they execute. */
  config?: AmbientAgentConfig;
}

/** The environment that a run is going to have: that of its request, else that of its agent. */
export function environmentOf(agent: RunAgent | undefined, own: AmbientAgentConfig): string | undefined {
  return own.environment_id ?? takerOf(agent).execution.environmentId;
}

function takerOf(taken: RunAgent | undefined): Taker {
  const nobody = { factoryUid: null, agentUid: null, name: DEFAULT_AGENT, execution: DEFAULT_EXECUTION };
  if (!taken) return { ...nobody, secrets: [], skills: [] };
  if ("identity" in taken) {
    const { uid, name, secrets, skills, config } = taken.identity;
    const principal: Principal = { uid, type: "service_account", displayName: name };
    const execution = requestedExecution(DEFAULT_EXECUTION, config);
    return { ...nobody, agentUid: uid, principal, name, execution, secrets, skills, config };
  }
  const { factory, agent: name } = taken;
  const { definition, uidOf } = factory.active;
  const agent = definition.agents.find((each) => each.name === name);
  const execution = agent?.execution ?? DEFAULT_EXECUTION;
  const { secrets, inject } = runExecution(definition, execution);
  return {
    factoryUid: factory.uid,
    agentUid: uidOf("agent", name) ?? null,
    principal: agentPrincipal(factory, name),
    name,
    agent,
    definition,
    execution,
    secrets,
    inject,
    skills: [],
    mcpServers: definition.factory.mcpServers,
  };
}

/** Where a run executes: its worker host, and what the runner that it names asks of the machine. */
export function placementIn(definition: Definition | undefined, { workerHost, runner }: Execution): string {
  return placementOf(
    workerHost,
    definition?.runners.find(({ name }) => name === runner),
  );
}

/** The agent that a factory's run goes to when no one names one: its foreman. */
export function foremanOf(definition: Definition): string {
  return definition.agents.find((agent) => agent.type === "FOREMAN")?.name ?? DEFAULT_AGENT;
}

/** An agent as someone who acts. */
export function agentPrincipal({ uid, active }: RunFactory, name: string): Principal {
  return { uid: active.uidOf("agent", name) ?? uid, type: "service_account", displayName: name };
}

const MAX_TITLE = 80;

/** The first line of a prompt, shortened; without a prompt, what the run is called otherwise. */
function titleOf(prompt: string, name: string): string {
  const line =
    prompt
      .split("\n")
      .find((text) => text.trim() !== "")
      ?.trim() ?? name;
  // By characters and not by halves of them.
  const characters = [...line];
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 1).join("")}…` : line;
}
