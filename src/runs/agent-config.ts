import type { Agent, Definition, Execution } from "../definitions/definition.ts";
import { DEFAULT_HARNESS } from "../definitions/inherit.ts";
import { MillraceError } from "../error.ts";
import type { AmbientAgentConfig, RunExecution } from "./run.ts";
import { type SkillReference, skillReference } from "./skill-reference.ts";

/** How a run executes when nothing says otherwise. */
export const DEFAULT_EXECUTION: Execution = {
  harness: { type: DEFAULT_HARNESS },
  secrets: [],
  mcpServers: {},
};

/** How an agent executes, in the shape of the public API. */
export function agentConfig(
  name: string,
  agent: Agent | undefined,
  execution: Execution,
): AmbientAgentConfig {
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

/** What executing takes: the factory-wide secrets and the agent's own, but never what a webhook authenticates with. */
export function runExecution(definition: Definition, execution: Execution): RunExecution {
  const credentials = new Set(definition.webhooks.map((webhook) => webhook.secretName));
  const granted = [...new Set([...definition.factory.secrets, ...execution.secrets])];
  return { harness: execution.harness, secrets: granted.filter((name) => !credentials.has(name)) };
}

/** Lays what a request says over how the agent executes: its keys win, and everything else is inherited. */
export function requestedExecution(base: Execution, own: AmbientAgentConfig): Execution {
  const type = own.harness?.type ?? base.harness.type;
  // Another program knows nothing of this one's model and reasoning level.
  const kept = type === base.harness.type ? base.harness : { type };
  const model = own.harness?.model_id ?? own.model_id ?? kept.model;
  const reasoningLevel = own.harness?.reasoning_level ?? kept.reasoningLevel;
  const runner = own.runner_id ?? base.runner;
  const environmentId = own.environment_id ?? base.environmentId;
  return {
    ...base,
    harness: {
      ...kept,
      type,
      ...(model === undefined ? {} : { model }),
      ...(reasoningLevel === undefined ? {} : { reasoningLevel }),
    },
    ...(runner === undefined ? {} : { runner }),
    ...(environmentId === undefined ? {} : { environmentId }),
  };
}

/**
 * The secrets of a run whose request has a list of its own, which can only leave some out.
 * @throws MillraceError `not_authorized` for one that the agent is not granted
 */
export function narrowSecrets(granted: readonly string[], { secrets }: AmbientAgentConfig): string[] {
  if (secrets === undefined) return [...granted];
  const index = secrets.findIndex(({ name }) => !granted.includes(name));
  if (index < 0) return secrets.map(({ name }) => name);
  throw new MillraceError(
    "not_authorized",
    `config.secrets[${index}]: the agent is not granted the secret ${secrets[index]?.name}.`,
    {
      remedy:
        "Grant it in the definition, under secrets: of the factory or of the agent; a request can only leave some out.",
      extra: { field: `config.secrets[${index}].name` },
    },
  );
}

/** The skills that a request names: the one beside its configuration wins over those in it. */
export function requestedSkills(skill: string | undefined, own: AmbientAgentConfig): SkillReference[] {
  const specs = skill ? [skill] : (own.skills ?? (own.skill_spec ? [own.skill_spec] : []));
  return specs.map(skillReference);
}
