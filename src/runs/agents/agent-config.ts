import type {
  Agent,
  Definition,
  Execution,
  Harness,
  OwnMcpServer,
  TextOrSecret,
} from "../../definitions/definition.ts";
import { DEFAULT_HARNESS } from "../../definitions/inherit.ts";
import { webhookSecretNamesOf } from "../../definitions/rules/check-server.ts";
import { MillraceError } from "../../errors/error.ts";
import { type SkillReference, skillReference } from "../rules/skill-reference.ts";
import type { AmbientAgentConfig, RunExecution } from "../run-config.ts";

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
  factoryServers: Execution["mcpServers"] = {},
): AmbientAgentConfig {
  const { harness, environmentId, runner, workerHost } = execution;
  const secret = harnessSecretOf(harness);
  const ofService = Object.entries({ ...factoryServers, ...execution.mcpServers }).map(toPublicServer);
  const described = Object.entries(execution.ownMcpServers ?? {}).map(toRunServer);
  const servers = { ...Object.fromEntries(ofService), ...Object.fromEntries(described) };
  return {
    name,
    ...(harness.model === undefined ? {} : { model_id: harness.model }),
    ...(agent?.prompt ? { base_prompt: agent.prompt } : {}),
    ...(environmentId === undefined ? {} : { environment_id: environmentId }),
    ...(runner === undefined ? {} : { runner_id: runner }),
    ...(workerHost === undefined ? {} : { worker_host: workerHost }),
    ...(Object.keys(servers).length === 0 ? {} : { mcp_servers: servers }),
    ...(execution.idleTimeoutMinutes === undefined
      ? {}
      : { idle_timeout_minutes: execution.idleTimeoutMinutes }),
    ...(execution.priority === undefined ? {} : { priority: execution.priority }),
    ...(execution.outputSchema === undefined ? {} : { output_schema: execution.outputSchema }),
    harness: {
      type: harness.type,
      ...(harness.model === undefined ? {} : { model_id: harness.model }),
      ...(harness.reasoningLevel === undefined ? {} : { reasoning_level: harness.reasoningLevel }),
      ...(secret === undefined ? {} : { auth_secret_name: secret }),
    },
  };
}

function toPublicServer([name, { warpId }]: [string, { warpId: string }]) {
  return [name, { warp_id: warpId }];
}

/** A secret is the variable of its name, in the notation that programs read in `mcp.json`. */
function toRunServer([name, { env, headers, ...server }]: [string, OwnMcpServer]) {
  const texts = (values: Record<string, TextOrSecret>) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        typeof value === "string" ? value : `\${${value.secret}}`,
      ]),
    );
  const described = {
    ...server,
    ...(env ? { env: texts(env) } : {}),
    ...(headers ? { headers: texts(headers) } : {}),
  };
  return [name, described] as const;
}

/** What executing takes: the factory-wide secrets and the agent's own, but never what a webhook authenticates with. */
export function runExecution(definition: Definition, execution: Execution): RunExecution {
  const credentials = new Set(webhookSecretNamesOf(definition));
  const granted = [...new Set([...definition.factory.secrets, ...execution.secrets])];
  const inject = { ...definition.factory.inject, ...execution.inject };
  return {
    harness: execution.harness,
    secrets: granted.filter((name) => !credentials.has(name)),
    ...(Object.keys(inject).length > 0 ? { inject } : {}),
  };
}

/** Lays what a request says over how the agent executes: its keys win, and everything else is inherited. */
export function requestedExecution(base: Execution, own: AmbientAgentConfig): Execution {
  const type = own.harness?.type ?? base.harness.type;
  // Another program knows nothing of this one's model and reasoning level.
  const kept = type === base.harness.type ? base.harness : { type };
  const model = own.harness?.model_id ?? own.model_id ?? kept.model;
  const reasoningLevel = own.harness?.reasoning_level ?? kept.reasoningLevel;
  const secretName = requestedHarnessSecret(own, type);
  const runner = own.runner_id ?? base.runner;
  const environmentId = own.environment_id ?? base.environmentId;
  const { workerHost: inheritedHost, ...inherited } = base;
  // An empty one clears it, as in definitions.
  const workerHost = own.worker_host === undefined ? inheritedHost : own.worker_host || undefined;
  return {
    ...inherited,
    harness: {
      ...kept,
      type,
      ...(model === undefined ? {} : { model }),
      ...(reasoningLevel === undefined ? {} : { reasoningLevel }),
      ...(secretName === undefined ? {} : { auth: { source: "managedSecret", secretName } }),
    },
    ...(runner === undefined ? {} : { runner }),
    ...(environmentId === undefined ? {} : { environmentId }),
    ...(workerHost === undefined ? {} : { workerHost }),
  };
}

/**
 * The secrets of a run whose request has a list of its own, which can only leave some out.
 * @param inEnvironment those that its environment grants, which are added when it is prepared
 * @throws MillraceError `not_authorized` for one that neither the agent nor the environment is granted
 */
export function narrowSecrets(
  granted: readonly string[],
  { secrets }: AmbientAgentConfig,
  inEnvironment: readonly string[] = [],
): Pick<RunExecution, "secrets" | "onlySecrets"> {
  if (secrets === undefined) return { secrets: [...granted] };
  const names = secrets.map(({ name }) => name);
  const index = names.findIndex((name) => !granted.includes(name) && !inEnvironment.includes(name));
  if (index < 0) return { secrets: names.filter((name) => granted.includes(name)), onlySecrets: names };
  throw new MillraceError(
    "not_authorized",
    `config.secrets[${index}]: neither the agent nor its environment is granted the secret ${names[index]}.`,
    {
      remedy:
        "Grant it in the definition, under secrets: of the factory or of the agent, or in the environment. A request can only select from the granted secrets.",
      extra: { field: `config.secrets[${index}].name` },
    },
  );
}

/** The skills that a request names: the one beside its configuration wins over those in it. */
export function requestedSkills(skill: string | undefined, own: AmbientAgentConfig): SkillReference[] {
  const specs = skill ? [skill] : (own.skills ?? (own.skill_spec ? [own.skill_spec] : []));
  return specs.map(skillReference);
}

/** Where a request says which secret is the key of a program, by the program. */
const FIELDS: Readonly<Record<string, "claude_auth_secret_name" | "codex_auth_secret_name">> = {
  claude: "claude_auth_secret_name",
  codex: "codex_auth_secret_name",
};

/** The secret that a request names for the program of the run; those for other programs do not count. */
function requestedHarnessSecret(own: AmbientAgentConfig, type: string): string | undefined {
  const field = FIELDS[type];
  const listed = field === undefined ? undefined : own.harness_auth_secrets?.[field];
  return own.harness?.auth_secret_name || listed || undefined;
}

/**
 * Holds the secret that a request names for its program against what its agent has: anyone who may start runs does not
 * thereby read every secret.
 * @throws MillraceError `not_authorized` for one that neither the agent nor the environment is granted
 */
export function checkHarnessSecret(
  own: AmbientAgentConfig,
  { type }: Harness,
  base: Execution,
  granted: readonly string[],
): void {
  const name = requestedHarnessSecret(own, type);
  if (name === undefined || granted.includes(name) || name === harnessSecretOf(base.harness)) return;
  const field = own.harness?.auth_secret_name
    ? "config.harness.auth_secret_name"
    : `config.harness_auth_secrets.${FIELDS[type]}`;
  throw new MillraceError(
    "not_authorized",
    `${field}: neither the agent nor its environment is granted the secret ${name}.`,
    {
      remedy:
        "Grant it in the definition, under secrets: or harness.auth of the agent, in an agent created through the API, or in the environment.",
      extra: { field },
    },
  );
}

/** The secret that holds the key of a program, where one does. */
function harnessSecretOf({ auth }: Harness): string | undefined {
  return auth?.source === "managedSecret" ? auth.secretName : undefined;
}
