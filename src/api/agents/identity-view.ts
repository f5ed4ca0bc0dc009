import type { Models } from "../../client/typed-paths.ts";
import { agentConfig, runExecution } from "../../runs/agents/agent-config.ts";
import type { AgentIdentity } from "../../runs/agents/agent-identity.ts";
import type { AmbientAgentConfig } from "../../runs/run-config.ts";
import { secretReferences } from "../admin/secret-references.ts";
import type { Caller } from "../http/authorize.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { visibleConfig } from "../runs/visible-config.ts";
import type { DefinedAgent } from "./defined-agents.ts";

/** What this server has of what the public API tells of every agent. */
const OF_EVERY_AGENT: Pick<Models["AgentResponse"], "available" | "credential_strategy" | "memory"> = {
  available: true,
  credential_strategy: "EXECUTOR",
  memory: { attached_stores: [], auto_memory: { enabled: false } },
};

/** An agent that the API has made, in the shape of the public API. */
export function identityView(identity: AgentIdentity, caller: Caller): Models["AgentResponse"] {
  const { uid, name, description, secrets, skills, config, createdAt, updatedAt } = identity;
  return {
    uid,
    name,
    description,
    ...OF_EVERY_AGENT,
    created_at: createdAt,
    updated_at: updatedAt,
    secrets: secretReferences(secrets),
    skills,
    agent_type: "CUSTOM",
    default_runner_uid: "",
    ...defaultsView(visibleConfig(config, caller)),
  };
}

/** An agent of a definition, in the shape of the public API. */
export function definedView(
  { agent, resource, factory, active: { definition } }: DefinedAgent,
  caller: Caller,
): Models["AgentResponse"] {
  const skills = definition.skills.filter((skill) => (skill.agent ?? agent.name) === agent.name);
  const config = agentConfig(agent.name, agent, agent.execution, definition.factory.mcpServers);
  return {
    uid: resource.uid,
    name: agent.name,
    description: agent.description ?? null,
    ...OF_EVERY_AGENT,
    created_at: resource.createdAt,
    updated_at: resource.updatedAt,
    secrets: secretReferences(runExecution(definition, agent.execution).secrets),
    skills: [...new Set(skills.map(({ name }) => name))],
    factory_uid: factory.uid,
    agent_type: agent.type,
    default_runner_uid: config.runner_id ?? "",
    ...defaultsView(visibleConfig(config, caller)),
  };
}

function defaultsView(config: AmbientAgentConfig) {
  const { base_prompt: prompt, model_id: base_model, harness } = config;
  const { harness_auth_secrets, environment_id, mcp_servers, worker_host } = config;
  return withoutUndefined({
    prompt,
    base_model,
    base_harness: harness?.type,
    harness,
    harness_auth_secrets,
    environment_id,
    mcp_servers,
    worker_host,
  });
}
